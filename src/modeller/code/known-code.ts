import type { Attribute } from "../../model/requirements.ts";
import type { WriteAction } from "../plans/plan.ts";
import type { ValueCode } from "./key-code.ts";
import type { Loop, Scope } from "./scope.ts";
import { memberOf } from "./source.ts";
import { attributeType } from "./types.ts";

/** What is known of an item that is changed: its key, and what was read before. */

/** A value that is known when an item is changed. */
export interface KnownValue {
  readonly code: string;
  /** The same where it is not yet known whether there is one. */
  readonly safe: string;
  /** It may be missing. */
  readonly isOptional: boolean;
}

/** All that is known of an item that is changed: its key, and what was read before. */
export function knownValues(
  scope: Scope,
  { record, bindings }: WriteAction,
  codeFor: ValueCode,
  loops: readonly Loop[],
  item: string | undefined,
): (name: string) => KnownValue | undefined {
  return (name) => {
    const attribute = record.entity.attributes.get(name) as Attribute;
    const own = codeFor(name);
    if (own !== undefined) return { code: own, safe: own, isOptional: false };
    const binding = bindings.get(name);
    if (binding === undefined || binding.kind === "span" || binding.kind === "each")
      return undefined;
    if (binding.kind === "result") {
      return broughtValue(scope, binding.request, binding.attribute, attribute, loops);
    }
    const found = scope.resolve(record.entity, new Map([[name, binding]]), [name], item);
    const [loop] = found.loops;
    // Of several values the first one is meant, where one is wanted.
    const code = loop === undefined ? found.codeFor(name) : `${loop.over}[0]`;
    if (code === undefined) return undefined;
    const optional = loop !== undefined || (binding.kind === "item" && attribute.isOptional);
    return { code, safe: code, isOptional: optional };
  };
}

/** A value of an item that was read before the change. */
export function broughtValue(
  scope: Scope,
  request: number,
  name: string,
  attribute: Attribute,
  loops: readonly Loop[],
): KnownValue | undefined {
  const brought = scope.brought[request];
  if (brought === undefined) return undefined;
  if (brought.shape === "one") {
    const before = scope.before(brought);
    const code = memberOf(before, name);
    const safe = code.slice(before.length).startsWith("[")
      ? `${before}?.${code.slice(before.length)}`
      : `${before}?${code.slice(before.length)}`;
    return { code, safe, isOptional: true };
  }
  const loop = loops.find(({ from }) => from !== undefined);
  const item = loop?.from === brought ? loop.as : `${brought.variable}[0]`;
  const told = memberOf(scope.told(brought.record, item), name);
  const isThere = loop?.from === brought;
  const safe = isThere ? told : `(${item} === undefined ? undefined : ${told})`;
  const isSure = isThere && !attribute.isOptional;
  const code = isSure ? told : `(${safe} as ${scope.useTypes(attributeType(attribute))})`;
  return { code, safe, isOptional: !isSure };
}

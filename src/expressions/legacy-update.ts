import { updateAddType, updateDeleteType, updateWithoutValue } from "../api/errors/legacy.ts";
import { type AttributeValue, typeOf } from "../item/attribute-value.ts";
import { attributePath } from "./legacy-comparison.ts";
import type { Update, UpdateAction } from "./tree.ts";

/** One entry of AttributeUpdates, its value canonical. Without an action it is a PUT. */
export interface LegacyUpdate {
  readonly Action?: "PUT" | "ADD" | "DELETE";
  readonly Value?: AttributeValue;
}

export function compileAttributeUpdates(updates: Readonly<Record<string, LegacyUpdate>>): Update {
  const actions = Object.entries(updates).map(([name, update]) => compileAction(name, update));
  return { kind: "update", actions, legacy: true };
}

function compileAction(name: string, { Action: action, Value: value }: LegacyUpdate): UpdateAction {
  const path = attributePath(name);
  if (value === undefined) {
    if (action !== "DELETE") throw updateWithoutValue();
    return { kind: "remove", path };
  }
  const type = typeOf(value);
  const isSet = type === "SS" || type === "NS" || type === "BS";
  if (action === "DELETE") {
    if (!isSet) throw updateDeleteType(type);
    return { kind: "delete", path, value };
  }
  if (action === "ADD") {
    if (!isSet && type !== "N" && type !== "L") throw updateAddType(type);
    return { kind: "add", path, value };
  }
  return { kind: "set", path, value: { kind: "value", value } };
}

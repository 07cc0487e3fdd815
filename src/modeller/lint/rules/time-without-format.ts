import { sizeBytes } from "../../../document/measures.ts";
import type { Attribute } from "../../../model/requirements.ts";
import { componentsOf } from "../key-fit.ts";
import type { Fix, Rule } from "../rule.ts";

const looksLikeTime =
  /(At|On|Date|Time|Timestamp|Until|Since)$|^(date|time|timestamp|created|updated|when)$/;

export const timeWithoutFormat: Rule = {
  id: "time-without-format",
  severity: "warning",
  title: "A time that items are sorted by has no stated format, so its order is not known.",
  topic: "temporal-values",
  *check(context) {
    const sorted = new Set<Attribute | undefined>();
    for (const { entity, sort } of context.keys) {
      for (const { attribute } of componentsOf(sort)) sorted.add(entity.attributes.get(attribute));
    }
    for (const { actions } of context.served) {
      for (const { entity, order } of actions) {
        for (const { attribute } of order) {
          sorted.add(context.model.entities.get(entity)?.attributes.get(attribute));
        }
      }
    }
    for (const { name: entity, attributes } of context.entities) {
      for (const attribute of attributes.values()) {
        const { name, type, format, values, path } = attribute;
        if (!sorted.has(attribute) || format !== undefined || values !== undefined) continue;
        if ((type !== "S" && type !== "N") || !looksLikeTime.test(name)) continue;
        yield {
          path,
          message: `${entity}.${name} is sorted by and does not say how the time is written.`,
          evidence:
            type === "S"
              ? "Only texts such as 2026-11-16T09:30:00.000Z sort by time: 16/11/2026 and 9:30 do not."
              : "Numbers sort by time if all count the same unit from the same moment.",
          cure: `State its format: ${type === "S" ? "iso-time or iso-date" : "epoch-seconds or epoch-milliseconds"}.`,
          fix: fixOf(entity, attribute),
        };
      }
    }
  },
};

/** A format that has as many bytes as were stated. */
function fixOf(entity: string, { name, type, path, size, digits }: Attribute): Fix | undefined {
  const bytes = size?.distribution.kind === "fixed" ? sizeBytes(size.distribution.bytes) : 0;
  const format =
    type === "S"
      ? { 24: "iso-time", 10: "iso-date" }[bytes]
      : { 10: "epoch-seconds", 13: "epoch-milliseconds" }[digits ?? 0];
  if (format === undefined) return undefined;
  return {
    what: `makes ${entity}.${name} ${format}`,
    edits: [
      { kind: "delete", path: [...path, type === "S" ? "bytes" : "digits"] },
      { kind: "set", path: [...path, "format"], value: format },
    ],
  };
}

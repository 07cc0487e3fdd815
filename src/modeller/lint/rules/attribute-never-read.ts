import { attributesOf } from "../../../model/key-text.ts";
import type { Entity, Pattern } from "../../../model/requirements.ts";
import { attributeBytes } from "../../sizes/attribute-size.ts";
import type { LintContext } from "../lint-context.ts";
import { money, monthly } from "../money.ts";
import type { Rule } from "../rule.ts";
import { conditionAttributes } from "../traffic.ts";
import { amountText, bytesText, counted } from "../words.ts";

export const attributeNeverRead: Rule = {
  id: "attribute-never-read",
  severity: "hint",
  title: "An attribute is stored, and no pattern ever reads it.",
  topic: "access-patterns-first",
  *check(context) {
    for (const record of context.facts.records) {
      const { entity, table, role } = record;
      // Who reads the stream may read anything.
      if (role !== "item" || table.consumers.length > 0) continue;
      const asking = patternsOf(context).filter(({ actions, together }) =>
        [...actions.filter(({ kind }) => kind === "read"), ...together].some(
          (one) => one.entity === entity.name,
        ),
      );
      if (asking.length === 0) continue;
      const used = usedOf(context, entity);
      for (const { content } of record.attributes) {
        if (content.kind !== "attribute" || used.has(content.attribute.name)) continue;
        const { attribute } = content;
        const bytes = (attributeBytes(attribute)?.mean ?? 0) * attribute.present.value;
        const { count } = entity;
        const perMonth = monthly(context.prices, table, { bytes: bytes * (count?.value ?? 0) });
        yield {
          path: attribute.path,
          message: `${entity.name}.${attribute.name} is stored in ${table.name} and never read.`,
          evidence: `None of ${counted(asking.length, "read")} of ${entity.name} returns it or asks by it; it has ${bytesText(bytes)} on average${count === undefined ? "" : ` in ${amountText(count)} items`}.`,
          price: count === undefined ? undefined : money(perMonth, count.assumed),
          cure: "Leave it out (stores), name the pattern that needs it, or say in a pattern's returns that it is read.",
        };
      }
    }
  },
};

function patternsOf({ model }: LintContext): readonly Pattern[] {
  return [...model.patterns.values()].filter(({ status }) => status !== "declined");
}

/** All that somebody or something looks at. */
function usedOf(context: LintContext, entity: Entity): ReadonlySet<string> {
  const { name } = entity;
  const used = new Set([...entity.id, ...(entity.version === undefined ? [] : [entity.version])]);
  const add = (names: Iterable<string>): void => {
    for (const one of names) used.add(one);
  };
  for (const { actions, together, scope, skew } of patternsOf(context)) {
    if (together.some((one) => one.entity === name)) add(entity.attributes.keys());
    for (const action of actions) {
      if (action.entity !== name) continue;
      if (action.kind === "read") add(action.returns);
      add([...action.where, ...action.order].map(({ attribute }) => attribute));
      add([...conditionAttributes(action), ...scope, ...(skew === undefined ? [] : [skew.key])]);
    }
  }
  for (const key of context.keys) {
    if (key.entity !== entity) continue;
    for (const { text } of [...key.partition, ...key.sort]) {
      add(attributesOf(text).map(({ attribute }) => attribute));
    }
    add((key.index?.members.get(name)?.only ?? []).map(({ attribute }) => attribute));
  }
  for (const { ttl, periods, aggregates, placements, versioning } of context.tables) {
    if (ttl?.entities.includes(name)) used.add(ttl.attribute);
    if (periods !== undefined && placements.has(name)) used.add(periods.attribute);
    if (versioning?.entity === name) used.add(versioning.attribute);
    for (const { of, attribute } of aggregates) {
      if (of === name && attribute !== undefined) used.add(attribute);
    }
    add((placements.get(name)?.elsewhere ?? []).flatMap(({ pointer }) => pointer ?? []));
  }
  for (const { attributes } of context.entities) {
    for (const { copyOf, keeps } of attributes.values()) {
      if (copyOf?.entity === name) used.add(copyOf.attribute);
      if (keeps?.of === name && keeps.attribute !== undefined) used.add(keeps.attribute);
    }
  }
  return used;
}

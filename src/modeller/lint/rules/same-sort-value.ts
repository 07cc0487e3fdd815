import type { Edit } from "../../../document/edit.ts";
import type { Attribute, Entity } from "../../../model/requirements.ts";
import { componentsOf, type KeyComponent, sortingComponent } from "../key-fit.ts";
import type { EntityKey } from "../keys.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const sameSortValue: Rule = {
  id: "same-sort-value",
  severity: "hint",
  title: "Items that are sorted by a value that many share come in no certain order.",
  topic: "sorting",
  *check(context) {
    const seen = new Set<string>();
    for (const { pattern, action, key } of context.queries) {
      const { entity } = key;
      const component = sortingComponent(key, action.where, action.order);
      if (component === undefined) continue;
      const attribute = entity.attributes.get(component.attribute);
      if (attribute === undefined || !repeats(attribute, component, entity)) continue;
      if (isTold(key, component, entity) || seen.has(key.what)) continue;
      seen.add(key.what);
      const [last] = entity.id.slice(-1);
      yield {
        path: component.side.path,
        message: `${entity.name} with the same ${attribute.name} have no order in ${key.what}.`,
        evidence: `Pattern ${pattern.id} sorts by ${attribute.name}, ${why(attribute, component)}; equal values come in an order that DynamoDB does not promise.`,
        cure: `Put ${last} behind ${attribute.name} in the sort key.`,
        fix: fixOf(key, component, entity),
      };
    }
  },
};

/** Many items can have the value: a time to the millisecond is taken to be an item's own. */
function repeats(attribute: Attribute, { transforms }: KeyComponent, { id }: Entity): boolean {
  if (attribute.unique || (id.length === 1 && id[0] === attribute.name)) return false;
  if (transforms.some(({ kind }) => kind === "truncate")) return true;
  if (attribute.format === "iso-date" || attribute.values !== undefined) return true;
  return attribute.type === "N" && attribute.format === undefined;
}

function why(attribute: Attribute, { transforms }: KeyComponent): string {
  const cut = transforms.find(({ kind }) => kind === "truncate");
  if (cut?.kind === "truncate") return `cut off after the ${cut.unit}`;
  if (attribute.format === "iso-date") return "which is a day";
  if (attribute.values !== undefined) return `which has ${attribute.values.length} values`;
  return `a number of ${attribute.digits ?? 10} digits${attribute.digits === undefined ? " (assumed)" : ""}`;
}

/** The rest of the sort key, or the partition key, tells items with the same value apart. */
function isTold({ partition, sort }: EntityKey, component: KeyComponent, { id }: Entity): boolean {
  const all = componentsOf(sort).map(({ attribute }) => attribute);
  const after = all.slice(all.indexOf(component.attribute) + 1);
  if (after.length > 0) return true;
  const named = [...componentsOf(partition).map(({ attribute }) => attribute), ...all];
  return id.every((name) => named.includes(name));
}

function fixOf(
  { index, sort, partition, kind }: EntityKey,
  { side }: KeyComponent,
  entity: Entity,
) {
  const named = componentsOf(partition).map(({ attribute }) => attribute);
  const missing = entity.id.filter((name) => !named.includes(name));
  if (kind !== "index" || index === undefined || index.local || missing.length === 0)
    return undefined;
  const what = `puts ${listText(missing)} behind it`;
  const texts = missing.filter((name) => entity.attributes.get(name)?.type === "S");
  if (side.written && side.type === "S" && texts.length === missing.length) {
    const value = `${side.text.text}${missing.map((name) => `#{${name}}`).join("")}`;
    return { what, edits: [{ kind: "set", path: side.path, value } satisfies Edit] };
  }
  // Other entities of the index would need the attribute too.
  if (side.written || index.members.size > 1 || sort.length + missing.length > 4) return undefined;
  const value = [...sort.map(({ attribute }) => attribute), ...missing];
  return {
    what,
    edits: [{ kind: "set", path: [...index.path, "key", "sort"], value } satisfies Edit],
  };
}

import type { Attribute, Entity } from "../../../model/requirements.ts";
import { sortingComponent } from "../key-fit.ts";
import type { Rule } from "../rule.ts";

export const caseOrder: Rule = {
  id: "case-order",
  severity: "warning",
  title: "A text is sorted as it is written, so all capitals come before small letters.",
  topic: "sorting",
  *check(context) {
    const seen = new Set<string>();
    for (const { pattern, action, key } of context.queries) {
      const { entity } = key;
      const component = sortingComponent(key, action.where, action.order);
      if (component === undefined) continue;
      const attribute = entity.attributes.get(component.attribute);
      if (attribute === undefined || !isWords(attribute, entity)) continue;
      if (component.transforms.length > 0 || seen.has(key.what)) continue;
      seen.add(key.what);
      const { side } = component;
      const value = side.text.text.replace(`{${attribute.name}}`, `{${attribute.name}|lower}`);
      yield {
        path: side.path,
        severity: side.written ? "warning" : "hint",
        message: `${attribute.name} in ${key.what} is sorted with its capitals.`,
        evidence: `Pattern ${pattern.id} sorts by it; DynamoDB compares bytes, so 'Zoo' comes before 'apple'.`,
        cure: side.written
          ? `Write {${attribute.name}|lower}.`
          : `Make a key attribute for the index with {${attribute.name}|lower} (sets).`,
        fix: side.written
          ? {
              what: `writes ${attribute.name} in small letters`,
              edits: [{ kind: "set", path: side.path, value }],
            }
          : undefined,
      };
    }
  },
};

/** Words of people: ids and codes are compared as they are, formats and values have their own order. */
function isWords({ type, format, values, distinct, name }: Attribute, { id }: Entity): boolean {
  const isClosed = format !== undefined || values !== undefined || distinct !== undefined;
  return type === "S" && !isClosed && !id.includes(name);
}

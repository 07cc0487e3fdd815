import fc from "fast-check";
import { expect, test } from "vitest";
import { ServiceError } from "../api/errors/service-error.ts";
import type { AttributeValue, Item } from "../item/attribute-value.ts";
import { item } from "./plain-values.test-support.ts";
import type { Path, Update, UpdateAction, UpdateValue } from "./tree.ts";
import { applyUpdate } from "./update-apply.ts";
import { returnedAttributes } from "./update-returned.ts";

const key = item({ pk: "k" });
const names = ["a", "b", "__proto__"];

const values = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ S: fc.constantFrom("", "x", "y") }),
    fc.integer({ min: -9, max: 99 }).map((number) => ({ N: String(number) })),
    fc
      .uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 })
      .map((members) => ({ NS: members.sort((a, b) => a - b).map(String) })),
    fc.array(tie("value"), { maxLength: 4 }).map((L) => ({ L })),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3 }).map((M) => ({ M })),
  ),
})).value;

const items = fc
  .dictionary(fc.constantFrom(...names), values, { maxKeys: 3 })
  .map((attributes): Item => ({ ...key, ...attributes }));

const steps = fc.oneof(fc.constantFrom(...names), fc.integer({ min: 0, max: 4 }));
const paths = fc
  .tuple(fc.constantFrom(...names), fc.array(steps, { maxLength: 2 }))
  .map(([first, rest]): Path => ({ kind: "path", steps: [first, ...rest] }));

const operands: fc.Arbitrary<UpdateValue> = fc.oneof(
  values.map((value): UpdateValue => ({ kind: "value", value })),
  paths,
  fc.tuple(paths, values).map(
    ([path, value]): UpdateValue => ({
      kind: "if_not_exists",
      path,
      otherwise: { kind: "value", value },
    }),
  ),
);

const sets = values.filter((value) => "NS" in value);
const actions: fc.Arbitrary<UpdateAction> = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), path: paths, value: operands }),
  fc.record({ kind: fc.constant("remove" as const), path: paths }),
  fc.record({ kind: fc.constant("add" as const), path: paths, value: sets }),
  fc.record({ kind: fc.constant("delete" as const), path: paths, value: sets }),
);

/** As the parser sees to it, no path begins with another. */
const updates = fc.array(actions, { minLength: 1, maxLength: 5 }).map((all): Update => {
  const kept: UpdateAction[] = [];
  for (const action of all) {
    const inTheWay = kept.some(({ path }) => overlap(path.steps, action.path.steps));
    if (!inTheWay) kept.push(action);
  }
  return { kind: "update", actions: kept };
});

function overlap(a: Path["steps"], b: Path["steps"]): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((step, at) => step === b[at]);
}

function apply(update: Update, before: Item | undefined): Item | undefined | "refused" {
  try {
    return applyUpdate(update, before, key).item;
  } catch (error) {
    if (error instanceof ServiceError) return "refused";
    throw error;
  }
}

test("an update changes neither the item nor itself, and gives the same result twice", () => {
  fc.assert(
    fc.property(fc.option(items, { nil: undefined }), updates, (before, update) => {
      const itemText = JSON.stringify(before);
      const updateText = JSON.stringify(update);
      const first = apply(update, before);
      expect(JSON.stringify(before)).toBe(itemText);
      expect(JSON.stringify(update)).toBe(updateText);
      expect(apply(update, before)).toEqual(first);
    }),
  );
});

test("what is returned is the item cut down to the paths", () => {
  fc.assert(
    fc.property(fc.option(items, { nil: undefined }), updates, (before, update) => {
      const after = apply(update, before);
      fc.pre(after !== "refused");
      const targets = update.actions.map(({ path }) => path.steps);
      expect(returnedAttributes("UPDATED_OLD", update, before, after)).toEqual(
        before === undefined ? undefined : pruneMembers(before, [], targets),
      );
      expect(returnedAttributes("UPDATED_NEW", update, before, after)).toEqual(
        after === undefined ? undefined : pruneMembers(after, [], targets),
      );
    }),
  );
});

type Steps = readonly (string | number)[];

/** Walks the whole item and asks at every place whether a target is here, or further down. */
function prune(
  value: AttributeValue,
  here: Steps,
  targets: readonly Steps[],
): AttributeValue | undefined {
  const place = JSON.stringify(here);
  if (targets.some((target) => JSON.stringify(target) === place)) return value;
  if ("M" in value) {
    const M = pruneMembers(value.M, here, targets);
    return M === undefined ? undefined : { M };
  }
  if ("L" in value) {
    const L = value.L.map((element, index) => prune(element, [...here, index], targets)).filter(
      (element) => element !== undefined,
    );
    return L.length === 0 ? undefined : { L };
  }
  return undefined;
}

function pruneMembers(members: Item, here: Steps, targets: readonly Steps[]): Item | undefined {
  const kept = Object.entries(members).flatMap(([name, member]) => {
    const value = prune(member, [...here, name], targets);
    return value === undefined ? [] : [[name, value] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

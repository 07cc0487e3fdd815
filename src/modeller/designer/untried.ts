import type { Model } from "../../model/model.ts";
import { listText } from "../lint/words.ts";
import { allSubsetsMax } from "./collections.ts";
import type { Layout } from "./drafts.ts";
import { unique } from "./needs.ts";
import { listedPart, partsBeside, splitLayouts } from "./splits.ts";

/**
 * What could be cheaper and is not looked at for some entities, in words: ideas that go together are tried one by one.
 * `shared` are the tables for several entities that are looked at.
 */
export function untriedOf(model: Model, shared: readonly Layout[]): readonly string[] {
  const joint = shared.filter(({ inside, idea }) => inside === undefined && idea === undefined);
  const nested = shared.filter(({ inside }) => inside !== undefined);
  const parents = unique(joint.map(({ entities }) => entities[0] ?? ""));
  const hosts = unique(nested.map(({ entities }) => entities[0] ?? ""));
  const under = (name: string): readonly string[] => togetherOf(name, joint);
  const insideOf = (name: string): readonly string[] => togetherOf(name, nested);
  return [
    ...parents.flatMap((name) => {
      const all = [name, ...under(name)];
      const apart = all.filter((one) => partsBeside(model, one, all).length > 0);
      const listed = all.filter((one) => listedPart(model, one, all) !== undefined);
      return [
        ...apart.map((one) => {
          const others = all.filter((other) => other !== one);
          return `other parts of ${one} in items of their own where it lies under one key with ${listText(others)}`;
        }),
        ...(listed.length > 1
          ? [
              `parts of ${listText(listed)} in items of their own at once where they lie under one key`,
            ]
          : []),
      ];
    }),
    ...hosts.flatMap((name) => [
      ...insideOf(name).flatMap((inner) => {
        const beside = under(name).filter((other) => other !== inner);
        return beside.length === 0
          ? []
          : [`${inner} inside of ${name} where that lies under one key with ${listText(beside)}`];
      }),
      ...(isSplit(model, name, nested)
        ? [`parts of ${name} in items of their own with ${listText(insideOf(name))} inside of it`]
        : []),
      ...(insideOf(name).length > allInnersMax
        ? [
            `${name} with some of ${listText(insideOf(name))} inside of it: each and all of them were`,
          ]
        : []),
    ]),
    ...parents
      .filter((name) => under(name).length > allSubsetsMax)
      .map(
        (name) =>
          `some of ${listText(under(name))} under one key with ${name}: each and all of them were`,
      ),
  ];
}

/** Of so many that could lie inside, every choice is tried. */
const allInnersMax = 2;

function togetherOf(name: string, layouts: readonly Layout[]): readonly string[] {
  return unique(layouts.flatMap(({ entities: [first, ...rest] }) => (first === name ? rest : [])));
}

function isSplit(model: Model, name: string, nested: readonly Layout[]): boolean {
  const entity = model.entities.get(name);
  const plain = nested.flatMap((one) => (one.entities[0] === name ? (one.plain ?? []) : []));
  return entity !== undefined && splitLayouts(model, entity, plain).length > 0;
}

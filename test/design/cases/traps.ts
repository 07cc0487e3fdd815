import type { Model } from "../../../src/model/model.ts";
import { changedOf } from "../../../src/modeller/designer/needs.ts";
import { Facts } from "../../../src/modeller/facts.ts";
import { heatOf, isOver } from "../../../src/modeller/heat/heat.ts";
import { plansOf } from "../../../src/modeller/plans/planner.ts";

/** What the sources warn of. Each says in words where a design falls into it. */
export const traps: Readonly<Record<string, (model: Model) => readonly string[]>> = {
  "a key that is too hot at peak": (model) => {
    const heat = heatOf(model);
    return isOver(heat)
      ? heat.places.flatMap(({ load, keys }) =>
          keys
            .filter(({ read, write, collectionOver }) => read.over || write.over || collectionOver)
            .map(({ read, write }) => `${load.name}: ${read.units} read, ${write.units} write`),
        )
      : [];
  },
  "what changes in a table's key": (model) =>
    placements(model).flatMap(({ table, entity, key }) => {
      const found = model.entities.get(entity);
      const changing = found === undefined ? new Set<string>() : changedOf(model, found);
      return key
        .flatMap(({ segments }) => segments)
        .flatMap((segment) =>
          segment.kind === "attribute" && changing.has(segment.attribute)
            ? [`${table}: ${segment.attribute} of ${entity}`]
            : [],
        );
    }),
  "a number in a text that is not padded": (model) =>
    placements(model, true).flatMap(({ table, entity, key }) =>
      key
        .filter(({ native }) => native === undefined)
        .flatMap(({ segments }) => segments)
        .flatMap((segment) =>
          segment.kind === "attribute" &&
          model.entities.get(entity)?.attributes.get(segment.attribute)?.type === "N" &&
          !segment.transforms.some(({ kind }) => kind === "pad" || kind === "descending")
            ? [`${table}: ${segment.attribute} of ${entity}`]
            : [],
        ),
    ),
  "a look before a unique value is written": (model) => {
    const unique = [...model.entities.values()].filter(({ attributes }) =>
      [...attributes.values()].some((one) => one.unique),
    );
    const guarded = [...(model.design?.tables.values() ?? [])].flatMap((table) => table.unique);
    const plans = [...plansOf(Facts.of(model)).values()];
    return unique.flatMap(({ name, attributes }) => [
      ...[...attributes.values()]
        .filter((one) => one.unique)
        .filter(
          (one) =>
            !guarded.some(({ entity, attribute }) => entity === name && attribute === one.name),
        )
        .map((one) => `${name}.${one.name} is not guarded`),
      ...plans
        .filter(({ pattern }) =>
          pattern.actions.some(({ kind, entity }) => kind === "create" && entity === name),
        )
        .filter(({ requests }) => requests.some(({ kind }) => kind === "read"))
        .map(({ pattern }) => `${pattern.id} reads before it writes`),
    ]);
  },
};

/** The texts that the keys of an entity are made of, in tables and in their indexes. */
function placements(model: Model, indexes = false) {
  return [...(model.design?.tables.values() ?? [])].flatMap((table) => [
    ...[...table.placements.values()].map(({ entity, key }) => ({
      table: table.name,
      entity,
      key: key.map(({ text }) => text),
    })),
    ...(indexes
      ? [...table.indexes.values()].flatMap(({ name, members }) =>
          [...members.values()].map(({ entity, sets }) => ({
            table: `${table.name}.${name}`,
            entity,
            key: sets.map(({ text }) => text),
          })),
        )
      : []),
  ]);
}

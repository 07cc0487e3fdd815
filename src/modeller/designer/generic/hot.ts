import type { Design } from "../../../model/design.ts";
import { heatOf } from "../../heat/heat.ts";
import type { Priced } from "../../lint/bills.ts";
import { shardsNeeded } from "../shards.ts";
import type { Part } from "./shared-table.ts";
import type { Slot } from "./slots.ts";
import type { Unit } from "./units.ts";

/** A table or an index of the natural design. */
export interface Hot {
  readonly table: string;
  readonly unit: Unit | undefined;
}

/**
 * What is too hot at peak since it is shared: texts in keys make items larger, and an entry holds what others want. None
 * of it was before.
 */
export function tooHot(
  { model }: Priced,
  parts: readonly Part[],
  { slots, own }: { readonly slots: readonly Slot[]; readonly own: readonly Unit[] },
): readonly Hot[] {
  const [shared] = (model.design as Design).tables.keys();
  if (parts.length === 0) return [];
  return heatOf(model).places.flatMap((place): readonly Hot[] => {
    const { table, index } = place.load;
    if (table.name !== shared || shardsNeeded(place) < 2) return [];
    const held = new Set(
      place.keys
        .filter(({ read, write }) => read.over || write.over)
        .flatMap(({ family }) => family.records),
    );
    if (index === undefined) {
      return parts
        .filter(({ records }) => records.some(({ name }) => held.has(name)))
        .map(({ name }) => ({ table: name, unit: undefined }));
    }
    const slot = slots.find((_, i) => index.name === `GSI${i + 1}`);
    const units = slot ?? own.filter(({ name }) => name === index.name);
    return units
      .filter(({ members }) => members.some(({ entity }) => held.has(entity.name)))
      .map((unit) => ({ table: unit.table, unit }));
  });
}

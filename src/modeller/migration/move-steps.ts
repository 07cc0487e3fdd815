import type { MigrationStep, Right, StepCost } from "./step.ts";

/** A step as far as it is not like all others. */
export type Draft = Pick<MigrationStep, "act" | "title" | "who" | "why"> & Partial<MigrationStep>;

/** How data comes from one place to another while everybody goes on reading and writing. */
export function moveSteps(
  gains: readonly string[],
  cost: StepCost,
): readonly (Draft & { readonly right: Right })[] {
  return [
    {
      act: "write-both",
      who: "deployment",
      title: "Let all writers write both, the old leading",
      why: "what is written from now on is in the old and in the new place at once, so the copy can catch up",
      actions: [
        "A writer reads the entity from the old place, makes the change, and writes all of its items, old and new, in one transaction. Each old item is written under the condition that it is still as it was read; if not, the writer begins again.",
        "New items are written whole, whether they were there or not: a writer does not have to know how far the copying is.",
        ...gains.map((one) => `Writes ${one}.`),
      ],
      verify: [
        "No instance of the old code writes any more: look at the deployments, then at what reaches the tables.",
        "Cancelled transactions are writers who met; they come through the second time.",
      ],
      rollback: "Deploy the old code. The new places stop being right and nobody reads them.",
      risks: [
        "While old and new instances run side by side, what the old ones write is not in the new place. The copying mends it, if it begins after the last of them is gone.",
        "A transaction costs twice the write units of its items.",
      ],
      right: { readers: "old", writers: "both" },
    },
    {
      act: "backfill",
      who: "job",
      title: "Copy everything that there is",
      why: "what nobody writes now would never come to the new place",
      actions: [
        "Reads the old items page by page and notes the last key of each finished page, so that it can go on from there.",
        "Writes the new items of each entity in one transaction with a check that the old items are still as they were read. If they are not, the entity is read again. So nothing newer is overwritten, and nothing that was deleted comes back.",
        "Then goes through the new places, and takes away what the old ones do not have: old code may have deleted it while both were on their way.",
        ...gains.map((one) => `Writes ${one}.`),
      ],
      verify: ["The job has come to the end of every old table."],
      rollback: "Stop it. What it wrote is in nobody's way.",
      risks: ["It shares the throughput of the tables with everybody: keep to the rate."],
      cost,
      right: { readers: "old and new", writers: "both" },
    },
    {
      act: "verify",
      who: "check",
      title: "Compare old and new, item by item",
      why: "the last moment at which a mistake costs nothing",
      actions: [
        "Read every entity from the old and from the new place. Where they differ, read again after a moment: it may have been written between the two.",
      ],
      verify: [
        "No difference is left.",
        "As many entities are in the new place as in the old one.",
      ],
      rollback: "If something differs: stop, mend, copy again.",
      right: { readers: "old and new", writers: "both" },
    },
    {
      act: "read-new",
      who: "deployment",
      title: "Let readers read the new",
      why: "both are right, so it can be done one by one and taken back at any time",
      actions: ["Begin with a few instances and compare errors and latencies."],
      verify: ["Nothing reads the old places: their consumed read units fall to nothing."],
      rollback: "Let them read the old again. It is still right.",
      right: { readers: "old and new", writers: "both" },
    },
    {
      act: "new-leads",
      who: "deployment",
      title: "Let writers read the new before they write both",
      why: "the old can be left alone only when no writer looks at it any more",
      actions: ["The same transactions, with the conditions on the new items."],
      verify: ["All instances do so before the next step begins."],
      rollback: "Let the old lead again. Both are still right.",
      right: { readers: "old and new", writers: "both" },
    },
    {
      act: "write-new",
      who: "deployment",
      title: "Let writers write the new alone",
      why: "the old is needed by nobody",
      verify: ["Nothing writes to the old places."],
      rollback:
        "From here on it is not free: the old lacks what is written now. Until the old is deleted, the way back is this plan from the new to the old.",
      risks: ["Readers of the old code that are left see old data and no error."],
      right: { readers: "new", writers: "new" },
    },
  ];
}

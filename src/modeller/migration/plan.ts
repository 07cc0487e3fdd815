import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { backfillCost, type CostOptions, cleanUpCost, indexCost } from "./costs.ts";
import type { Compared } from "./losses.ts";
import { droppedTables } from "./losses.ts";
import { type Draft, moveSteps } from "./move-steps.ts";
import { leavesRests, needsData } from "./moves.ts";
import {
  createOf,
  indexCreation,
  indexDeletion,
  tableCreation,
  tableNameOf,
  updateTable,
} from "./requests.ts";
import { settingsOf } from "./settings.ts";
import type { Change, MigrationFinding, MigrationStep, Right } from "./step.ts";
import { gainWords, lossWords } from "./words.ts";

export interface Planning {
  readonly compared: Compared;
  readonly changes: readonly Change[];
  readonly findings: readonly MigrationFinding[];
  readonly costs: CostOptions;
}

/** The steps from the old design to the new one: first everything is added, then moved, then taken away. */
export function stepsOf(planning: Planning): readonly MigrationStep[] {
  return new Steps(planning).all();
}

class Steps {
  private readonly compared: Compared;
  private readonly planning: Planning;
  private readonly list: MigrationStep[] = [];
  private right: Right = { readers: "old", writers: "old" };
  private readonly old: ReadonlyMap<string, Table>;
  private readonly target: ReadonlyMap<string, Table>;

  constructor(planning: Planning) {
    this.planning = planning;
    this.compared = planning.compared;
    this.old = tablesOf(planning.compared.old);
    this.target = tablesOf(planning.compared.target);
  }

  all(): readonly MigrationStep[] {
    const { moves } = this.compared;
    const moving = needsData(moves);
    if (this.planning.changes.every(({ kind }) => kind === "setting" || kind === "none")) {
      this.right = { readers: "old and new", writers: "both" };
    }
    this.prepare();
    this.settings("before");
    this.create();
    if (moving) this.move();
    else this.deploy();
    this.dropIndexes();
    this.cleanUp();
    this.dropTables();
    this.settings("after");
    return this.list;
  }

  private add(draft: Draft): void {
    this.list.push({
      requests: [],
      actions: [],
      verify: [],
      rollback: "Nothing has to be undone.",
      risks: [],
      cost: undefined,
      right: this.right,
      ...draft,
    });
  }

  /** What has to be looked at before anything is changed. */
  private prepare(): void {
    const accepted = this.planning.findings.filter((one) => one.accepted);
    const guards = this.planning.findings.filter((one) =>
      one.id.startsWith("unique-may-be-violated:"),
    );
    if (guards.length > 0) {
      this.add({
        act: "prepare",
        who: "check",
        title: "Look for values that are there twice",
        why: "a guard can be made for one of them only",
        actions: guards.map(
          ({ id }) =>
            `Scan for two items with the same ${id.slice(id.indexOf("unique.") + 7)}, as its key writes it; decide which one keeps the value.`,
        ),
        verify: ["No value is there twice."],
      });
    }
    const losing = new Set([
      ...droppedTables(this.compared.old, this.compared.target).map((one) => one.name),
      ...(accepted.length > 0 ? this.old.keys() : []),
    ]);
    if (losing.size > 0) {
      const names = [...losing].map((name) => tableNameOf(this.old.get(name) as Table));
      this.add({
        act: "prepare",
        who: "API",
        title: "Back up what is going to be deleted",
        why: "after the last steps it can be had back from there and nowhere else",
        requests: names.map((TableName) => ({
          operation: "CreateBackup",
          request: { TableName, BackupName: `before-migration-${TableName}`.slice(0, 255) },
        })),
        verify: ["DescribeBackup tells AVAILABLE for each."],
        rollback: "Backups cost storage until they are deleted.",
      });
    }
  }

  private settings(when: "before" | "after"): void {
    for (const [name, table] of this.target) {
      const before = this.old.get(name);
      if (before === undefined) continue;
      for (const { when: time, ...setting } of settingsOf(before, table)) {
        if (time !== when) continue;
        const who = setting.requests.length > 0 ? "API" : "deployment";
        this.add({ act: "setting", who, ...setting });
      }
    }
  }

  private create(): void {
    for (const [name, table] of this.target) {
      if (this.old.has(name)) continue;
      this.add({
        act: "create",
        who: "API",
        title: `Make the table ${name}`,
        why: table.purpose ?? "the new document has it",
        requests: tableCreation(table),
        actions:
          table.periods === undefined
            ? []
            : ["For each period that items are kept of; PERIOD stands for its name."],
        verify: ["DescribeTable tells ACTIVE."],
        rollback: "DeleteTable: nothing is in it that is not in the old tables.",
      });
    }
    for (const [name, table] of this.target) {
      const before = this.old.get(name);
      if (before === undefined) continue;
      const added = [...table.indexes.keys()].filter((one) => !before.indexes.has(one));
      for (const [i, index] of added.entries()) this.createIndex(before, table, index, i);
    }
  }

  private createIndex(before: Table, table: Table, index: string, place: number): void {
    const { old, target } = this.compared;
    // An index is empty at first if existing items lack what its key is made of.
    const { partition = [], sort = [] } = table.indexes.get(index) ?? {};
    const keys = new Set([...partition, ...sort].map(({ name }) => name));
    const made = this.compared.moves.some(({ moves }) =>
      moves.some(
        ({ after, gains }) =>
          after?.table.name === table.name && gains.some((name) => keys.has(name)),
      ),
    );
    // Until the billing mode is changed, an index is made for the old one.
    const now = { ...table, billing: before.billing };
    this.add({
      act: "create",
      who: "API",
      title: `Make the index ${table.name}.${index}`,
      why: table.indexes.get(index)?.purpose ?? "the new document has it",
      requests: [indexCreation(now, index)],
      verify: [
        "DescribeTable tells IndexStatus ACTIVE and no Backfilling.",
        ...(made ? ["It is empty: its key attributes come with the next steps."] : []),
      ],
      rollback: "Delete the index: nobody reads it yet.",
      risks: [
        ...(place === 0
          ? []
          : ["One index of a table is made or deleted at a time: wait for the one before."]),
        "Items whose key attributes have another type than the index says are left out of it without a word.",
        ...(table.billing.mode === "provisioned"
          ? ["An index with too few write units slows down all writes to the table."]
          : []),
      ],
      cost: made ? undefined : indexCost(target, old, table.name, index, this.planning.costs),
    });
  }

  /** Writers write both, everything is copied, readers change over, then writers. */
  private move(): void {
    const { old, target, moves } = this.compared;
    const cost = backfillCost(old, target, moves, this.planning.costs);
    for (const { right, ...step } of moveSteps(moves.flatMap(gainWords), cost)) {
      this.right = right;
      this.add(step);
    }
  }

  /** Without data to move, new code only needs what it reads to be there. */
  private deploy(): void {
    const { changes } = this.planning;
    const isCode = changes.some(
      ({ path: [top, second], kind }) =>
        top === "entities" || top === "patterns" || second === "plans" || kind !== "setting",
    );
    if (!isCode) return;
    const isNew = this.list.some(({ act }) => act === "create");
    const why = isNew
      ? "everything that it reads is there now"
      : "the database has all that it needs already";
    const { moves, target } = this.compared;
    if (!moves.some((one) => leavesRests(one, target)) && this.orphans().length === 0) {
      this.right = { readers: "old and new", writers: "both" };
      this.add({
        act: "deploy",
        who: "deployment",
        title: "Deploy the new code",
        why,
        rollback: "Deploy the old code: it finds everything as it was.",
      });
      return;
    }
    // New writers leave out what old readers look for, so all readers change first.
    this.right = { readers: "old and new", writers: "old" };
    this.add({
      act: "read-new",
      who: "deployment",
      title: "Let readers read as the new document says",
      why,
      verify: ["No reader of the old code is left."],
      rollback: "Deploy the old code: it finds everything as it was.",
    });
    this.right = { readers: "new", writers: "new" };
    this.add({
      act: "write-new",
      who: "deployment",
      title: "Let writers write as the new document says",
      why: "nobody reads what they leave out",
      verify: ["No instance of the old code is left."],
      rollback:
        "Deploy the old code: what was written meanwhile lacks what the new one leaves out.",
    });
  }

  private cleanUp(): void {
    const { old, target, moves } = this.compared;
    const tables = new Set(this.target.keys());
    const rests = moves.filter((one) => leavesRests(one, target));
    const words = [...rests.flatMap((one) => lossWords(one, tables)), ...this.orphans()];
    if (words.length === 0) return;
    this.right = { readers: "new", writers: "new" };
    this.add({
      act: "clean-up",
      who: "job",
      title: "Clear away what nobody reads any more",
      why: "it costs storage and write units, and the next reader of the table wonders",
      actions: [
        ...words.map((one) => `Deletes ${one}.`),
        "Each item is changed under the condition that it is still as it was read.",
      ],
      verify: ["The items are as the new document says, and none is left over."],
      rollback: "There is none, but for the backup.",
      cost: cleanUpCost(old, rests, this.planning.costs),
    });
  }

  /** Items of entities that the new document does not have, in tables that stay. */
  private orphans(): readonly string[] {
    const { old, target, naming } = this.compared;
    const known = new Set(Facts.of(target).records.map(({ entity }) => entity.name));
    return Facts.of(old).records.flatMap(({ name, entity, table }) =>
      !known.has(naming.newEntity(entity.name)) && this.target.has(table.name)
        ? [`${name} items in ${table.name}`]
        : [],
    );
  }

  private dropIndexes(): void {
    for (const [name, before] of this.old) {
      const table = this.target.get(name);
      if (table === undefined) continue;
      for (const index of before.indexes.values()) {
        if (table.indexes.has(index.name) || index.local) continue;
        this.right = { readers: "new", writers: "new" };
        this.add({
          act: "drop",
          who: "API",
          title: `Delete the index ${name}.${index.name}`,
          why: "nobody reads it any more, and every write pays for it",
          requests: [indexDeletion(before, index.name)],
          verify: [
            "Its consumed read units were nothing for some days before.",
            "DescribeTable does not have it.",
          ],
          rollback: "Make it again: it is filled from the table, which takes its time and units.",
          risks: ["One index of a table is made or deleted at a time."],
        });
      }
    }
  }

  private dropTables(): void {
    for (const table of droppedTables(this.compared.old, this.compared.target)) {
      this.right = { readers: "new", writers: "new" };
      const TableName = tableNameOf(table);
      this.add({
        act: "drop",
        who: "API",
        title: `Delete the table ${table.name}`,
        why: "nobody reads or writes it any more",
        requests: [
          ...(table.deletionProtection
            ? [updateTable(TableName, { DeletionProtectionEnabled: false })]
            : []),
          { operation: "DeleteTable", request: { TableName } },
        ],
        verify: ["It was neither read nor written for some days before."],
        rollback: "Restore it from the backup, under another name.",
        risks:
          createOf(table).StreamSpecification === undefined
            ? []
            : ["Its stream can be read for another 24 hours."],
      });
    }
  }
}

function tablesOf({ design }: Model): ReadonlyMap<string, Table> {
  return design?.tables ?? new Map<string, Table>();
}

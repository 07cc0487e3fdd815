import type { Table } from "../../../model/design.ts";
import type { Migration } from "../migration.ts";
import { tableNameOf } from "../requests.ts";
import type { ApiRequest, MigrationStep, Right } from "../step.ts";
import { BothWriter, type Client, PlainWriter, Reader, readOnce, readPlans } from "./clients.ts";
import type { Pools } from "./inputs.ts";
import { Backfill, CleanUp, type Job, Sweep } from "./jobs.ts";
import type { Side } from "./side.ts";
import { compareTables } from "./verify.ts";
import type { World } from "./world.ts";

export interface Played {
  readonly items: number;
  readonly left: readonly string[];
}

export interface StageOptions {
  readonly clients?: number;
  readonly mistake?: "backfill-without-conditions";
}

/** Everybody has so many turns while a step that is one request goes on, and after each change of one of them. */
const turns = 30;

/** So many answers of each pattern are looked at after a step. */
const looks = 4;

const hour = 3_600_000;

/** The clients, what they do now, and who comes next: a seed decides, so that it can be played again. */
export class Stage {
  private readonly world: World;
  private readonly migration: Migration;
  private readonly pools: Pools;
  private readonly options: StageOptions;
  private readonly moved: ReadonlySet<string>;
  private readonly readers: Client[];
  private readonly writers: Client[];

  constructor(world: World, migration: Migration, pools: Pools, options: StageOptions) {
    this.world = world;
    this.migration = migration;
    this.pools = pools;
    this.options = options;
    this.moved = new Set(migration.moves.map(({ entity }) => entity));
    const count = Math.max(2, Math.round((options.clients ?? 8) / 2));
    this.readers = Array.from({ length: count }, () => new Reader(world, world.old));
    this.writers = Array.from({ length: count }, () => this.plain(world.old));
  }

  private plain(side: Side): Client {
    return new PlainWriter(this.world, side, this.pools);
  }

  private both(lead: Side): Client {
    return new BothWriter(this.world, lead, this.pools, this.moved);
  }

  /** Lets clients, chosen by chance, do something. */
  private async turns(count: number): Promise<void> {
    const { random } = this.world;
    for (let i = 0; i < count; i += 1) {
      const all = random.unit() < 0.5 ? this.readers : this.writers;
      await all[random.below(all.length)]?.tick();
    }
  }

  /** Clients are replaced one by one, as a deployment does it; none in the middle of something. */
  private async replace(list: Client[], make: () => Client): Promise<void> {
    for (const i of list.keys()) {
      while (list[i]?.busy) await list[i]?.tick();
      list[i] = make();
      await this.turns(turns);
    }
  }

  async play(step: MigrationStep): Promise<Played> {
    const played = await this.act(step);
    await this.look(step.right);
    return played;
  }

  private async act(step: MigrationStep): Promise<Played> {
    const { old, new: next } = this.world;
    switch (step.act) {
      case "write-both":
        await this.replace(this.writers, () => this.both(old));
        break;
      case "read-new":
        await this.replace(this.readers, () => new Reader(this.world, next));
        break;
      case "new-leads":
        await this.replace(this.writers, () => this.both(next));
        break;
      case "write-new":
        await this.replace(this.writers, () => this.plain(next));
        break;
      case "deploy":
        await this.replace(this.writers, () => this.plain(next));
        await this.replace(this.readers, () => new Reader(this.world, next));
        break;
      case "backfill":
        return { items: await this.backfill(), left: [] };
      case "clean-up":
        return { items: await this.run(new CleanUp(this.world)), left: [] };
      case "verify":
        return { items: await this.compare([old, next], true), left: [] };
      default:
        return { items: 0, left: await this.send(step.requests) };
    }
    return { items: 0, left: [] };
  }

  private async backfill(): Promise<number> {
    const { moves } = this.migration;
    const guarded = this.options.mistake === undefined;
    let job = new Backfill(this.world, moves, { guarded });
    // Half-way the job is thrown away, and another one goes on from where it was.
    const half = this.world.ledger.store.size / 2;
    while (!job.done && (job.items < half || job.progress === undefined)) await this.together(job);
    const { progress } = job;
    if (progress !== undefined) job = new Backfill(this.world, moves, { progress, guarded });
    const copied = await this.run(job);
    return copied + (await this.run(new Sweep(this.world, moves)));
  }

  /** A turn of a job, and one of somebody else now and then. */
  private async together(job: Job): Promise<void> {
    await job.tick();
    if (this.world.random.unit() < 0.7) await this.turns(1);
  }

  private async run(job: Job): Promise<number> {
    while (!job.done) await this.together(job);
    return job.items;
  }

  private async compare(sides: readonly Side[], strict: boolean): Promise<number> {
    // What somebody is in the middle of is not there yet.
    await this.finish();
    const { items, wrong } = await compareTables(this.world, sides, strict);
    this.world.failures.push(...wrong);
    return items;
  }

  private async finish(): Promise<void> {
    for (const client of this.writers) while (client.busy) await client.tick();
  }

  private async send(requests: readonly ApiRequest[]): Promise<readonly string[]> {
    const { ground } = this.world;
    const left: string[] = [];
    for (const { operation, request } of requests) {
      if (!ground.can(operation)) {
        left.push(operation);
        continue;
      }
      // One change of the time to live is allowed in an hour.
      if (operation === "UpdateTimeToLive") ground.advance(hour);
      await ground.execute(operation, request);
      await this.turns(turns);
      await ground.settle();
    }
    return left;
  }

  /** Every pattern of those who should be right is asked some times. */
  private async look({ readers }: Right): Promise<void> {
    const { old, new: next } = this.world;
    const sides = [...(readers === "new" ? [] : [old]), ...(readers === "old" ? [] : [next])];
    for (const side of sides) {
      for (const plan of readPlans(side)) {
        for (let i = 0; i < looks; i += 1) await readOnce(this.world, side, plan);
      }
    }
  }

  /** No write is lost: everything that was acknowledged is in the new tables, and nothing else. */
  async end(): Promise<Played> {
    await this.turns(turns);
    const items = await this.compare([this.world.new], true);
    await this.look({ readers: "new", writers: "new" });
    return { items, left: [] };
  }

  /** Everybody goes back to the old code, and what was made for the new is deleted. */
  async back(steps: readonly MigrationStep[]): Promise<Played> {
    const { old } = this.world;
    await this.replace(this.readers, () => new Reader(this.world, old));
    if (steps.some(({ act }) => act === "new-leads")) {
      await this.replace(this.writers, () => this.both(old));
    }
    await this.replace(this.writers, () => this.plain(old));
    const left = await this.send(this.undoing());
    const items = await this.compare([old], false);
    await this.look({ readers: "old", writers: "old" });
    return { items, left };
  }

  private undoing(): readonly ApiRequest[] {
    const before = this.migration.old.design?.tables ?? new Map<string, Table>();
    return [...(this.migration.target.design?.tables.values() ?? [])].flatMap(
      (table): readonly ApiRequest[] => {
        const was = before.get(table.name);
        const TableName = tableNameOf(table);
        if (was === undefined) {
          return [
            { operation: "UpdateTable", request: { TableName, DeletionProtectionEnabled: false } },
            { operation: "DeleteTable", request: { TableName } },
          ];
        }
        return [...table.indexes.keys()]
          .filter((name) => !was.indexes.has(name))
          .map((IndexName) => ({
            operation: "UpdateTable",
            request: { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] },
          }));
      },
    );
  }
}

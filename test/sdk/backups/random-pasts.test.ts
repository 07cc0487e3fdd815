import {
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { Random } from "../../random.ts";
import { long, seedsOf } from "../../simulation/settings.ts";
import { createTable, freshName, storeName } from "../harness.ts";
import { minute, shown, useBackups } from "./support.ts";

const server = useBackups();

interface Thing extends Record<string, unknown> {
  readonly pk: string;
  readonly sk: number;
}

type Things = ReadonlyMap<string, Thing>;

const nameOf = ({ pk, sk }: Thing): string => `${pk}/${sk}`;
const keys = ["a", "b", "c"].flatMap((pk) => [1, 2, 3, 4, 5].map((sk) => ({ pk, sk })));

/** A table, and all that it ever was, as plain maps. */
class Past {
  readonly table: string;
  readonly random: Random;
  /** What the table was from each moment on. */
  readonly states: { readonly from: number; readonly things: Things }[] = [];
  serial = 0;

  constructor(table: string, random: Random) {
    this.table = table;
    this.random = random;
  }

  get now(): Things {
    return this.states.at(-1)?.things ?? new Map();
  }

  at(time: number): Things {
    return this.states.findLast(({ from }) => from <= time)?.things ?? new Map();
  }

  /** Undefined: the thing is gone. */
  note(changes: readonly (readonly [key: Thing, after: Thing | undefined])[]): void {
    const things = new Map(this.now);
    for (const [key, after] of changes) {
      if (after === undefined) things.delete(nameOf(key));
      else things.set(nameOf(key), after);
    }
    this.states.push({ from: server.clock.now(), things });
  }

  thing(key: Thing): Thing {
    const { random } = this;
    this.serial += 1;
    return {
      ...key,
      v: `${this.serial} ${"x".repeat(random.few(200))}`,
      ...(random.chance(0.5) && { g: random.pick(["x", "y", "z"]) }),
      ...(random.chance(0.5) && { l: random.pick(["1", "2", "3"]) }),
      ...(random.chance(0.2) && { ttl: Math.floor(server.clock.now() / 1_000) + random.few(60) }),
    };
  }

  async write(): Promise<void> {
    const { random, table: TableName } = this;
    const key = random.pick(keys);
    const several = random.sample(keys, random.between(2, 6));
    await random.choose<Promise<void>>([
      [
        4,
        async () => {
          const Item = this.thing(key);
          await server.documents.send(new PutCommand({ TableName, Item }));
          this.note([[key, Item]]);
        },
      ],
      [
        2,
        async () => {
          await server.documents.send(new DeleteCommand({ TableName, Key: key }));
          this.note([[key, undefined]]);
        },
      ],
      [
        2,
        async () => {
          const { Attributes } = await server.documents.send(
            new UpdateCommand({
              TableName,
              Key: key,
              UpdateExpression: "ADD n :one REMOVE g",
              ExpressionAttributeValues: { ":one": 1 },
              ReturnValues: "ALL_NEW",
            }),
          );
          this.note([[key, Attributes as Thing]]);
        },
      ],
      [
        2,
        async () => {
          const changes = several.map(
            (each) => [each, random.chance(0.7) ? this.thing(each) : undefined] as const,
          );
          await server.documents.send(
            new BatchWriteCommand({
              RequestItems: {
                [TableName]: changes.map(([Key, Item]) =>
                  Item === undefined ? { DeleteRequest: { Key } } : { PutRequest: { Item } },
                ),
              },
            }),
          );
          this.note(changes);
        },
      ],
      [
        2,
        async () => {
          const changes = several.map(
            (each) => [each, random.chance(0.7) ? this.thing(each) : undefined] as const,
          );
          const fails = random.chance(0.2);
          const transaction = server.documents.send(
            new TransactWriteCommand({
              TransactItems: changes.map(([Key, Item], i) => ({
                ...(Item === undefined
                  ? { Delete: { TableName, Key, ...(fails && i === 0 && impossible) } }
                  : { Put: { TableName, Item, ...(fails && i === 0 && impossible) } }),
              })),
            }),
          );
          if (fails) await expect(transaction).rejects.toThrow("ConditionalCheckFailed");
          else {
            await transaction;
            this.note(changes);
          }
        },
      ],
    ]);
  }

  /** Time passes, and the service deletes what expires in it. */
  async pass(): Promise<void> {
    await server.elapse(this.random.between(0, 4) * 400);
    const second = Math.floor(server.clock.now() / 1_000);
    const expired = [...this.now.values()].filter(({ ttl }) => (ttl as number) < second);
    if (expired.length > 0) this.note(expired.map((thing) => [thing, undefined]));
  }
}

const impossible = { ConditionExpression: "attribute_exists(nothing)" };

/** What the table, and each of its indexes, must hold. */
async function expectThings(name: string, things: Things): Promise<void> {
  const all = [...things.values()];
  expect(await server.items(name)).toEqual(all.map(shown).sort());
  const inG = all.filter(({ g }) => g !== undefined);
  expect(await server.items(name, "byG")).toEqual(inG.map(shown).sort());
  const inL = all.filter(({ l }) => l !== undefined);
  expect(await server.items(name, "byL")).toEqual(
    inL.map(({ pk, sk, l }) => shown({ pk, sk, l })).sort(),
  );
}

const runs = storeName === "memory" ? 3 : 1;

test.for(seedsOf(long ? 20 * runs : runs))(
  "any moment can be restored, whatever is written meanwhile (seed %i)",
  { timeout: 120_000 },
  async (seed) => {
    const random = new Random(seed);
    const table = await createTable(server, {
      key: "pk:S sk:N",
      global: { byG: { hash: "g:S", range: "pk:S" } },
      local: { byL: { range: "l:S", projection: { ProjectionType: "KEYS_ONLY" } } },
    });
    const past = new Past(table, random);
    await server.client.send(
      new UpdateTimeToLiveCommand({
        TableName: table,
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      }),
    );
    for (let i = 0; i < 5; i += 1) await past.write();
    await server.enable(table);
    const since = server.clock.now();
    const backups: { readonly arn: string; readonly things: Things }[] = [];
    for (let i = 0; i < 50; i += 1) {
      await past.pass();
      await past.write();
      if (random.chance(0.06)) backups.push({ arn: await server.backup(table), things: past.now });
    }
    const until = server.clock.now();
    await server.elapse(6 * minute);
    await past.pass();
    const restored: { readonly name: string; readonly things: Things }[] = [];
    for (const { arn, things } of backups) {
      const name = freshName("backup");
      restored.push({ name, things });
      await server.client.send(
        new RestoreTableFromBackupCommand({ TargetTableName: name, BackupArn: arn }),
      );
      await past.write();
    }
    for (let i = 0; i < 5; i += 1) {
      const name = freshName("moment");
      const seconds = random.between(Math.ceil(since / 1_000), Math.floor(until / 1_000));
      restored.push({ name, things: past.at(seconds * 1_000) });
      await server.client.send(
        new RestoreTableToPointInTimeCommand({
          SourceTableName: table,
          TargetTableName: name,
          RestoreDateTime: new Date(seconds * 1_000),
        }),
      );
      await past.write();
    }
    await server.running.workbench.idle();
    for (const { name, things } of restored) await expectThings(name, things);
    await expectThings(table, past.now);
    expect((await server.running.workbench.verify()).problems).toEqual([]);
  },
);

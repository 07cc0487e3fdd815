import { ServiceError } from "../api/errors/service-error.ts";
import type { CreateTableRequest } from "../api/requests/create-table.ts";
import { printable } from "../base/printable.ts";
import { own } from "../base/record.ts";
import { complaintsText } from "../document/complaint.ts";
import type { Item } from "../item/attribute-value.ts";
import type { Model } from "../model/model.ts";
import type { ModelDocument } from "../model/model-document.ts";
import { modelFrom, type Parsed } from "../model/parse.ts";
import {
  type TableRequests,
  tableName,
  tableRequests,
} from "../modeller/requests/table-requests.ts";
import { type Cut, type SampleOptions, sampleOf } from "../modeller/values/sample.ts";
import { ModelError, type ModelTables } from "./model-error.ts";
import { parsedModel } from "./model-parse.ts";
import type { Caller, Workbench } from "./workbench.ts";

export interface ModelTablesOptions {
  /** The moment that sample data is of, in milliseconds. */
  readonly now: number;
  /** About how many items there are and what they are drawn from; false: tables stay empty. */
  readonly sample: Omit<SampleOptions, "now"> | false;
  /** Is told how many items of how many are written. */
  readonly progress?: (done: number, total: number) => void;
  /** What items were is kept where the model asks for point-in-time recovery. Whoever only tries a model out has no use for that. */
  readonly recovery?: boolean;
}

/** Reads a model document; throws ModelError with all complaints. */
export function readModel(text: string, file: string): Model {
  return known(parsedModel(text, file));
}

export function readModelDocument(document: ModelDocument): Model {
  return known(modelFrom(document));
}

function known({ model, complaints }: Parsed): Model {
  if (model === undefined) throw new ModelError(complaintsText(complaints));
  if (model.design === undefined) {
    throw new ModelError(`${model.name} has no design, so there are no tables to make.`);
  }
  return model;
}

/** Makes the tables of a model that are not there, and fills them. Those that are there are left alone. */
export async function makeModelTables(
  workbench: Workbench,
  model: Model,
  caller: Caller,
  { now, sample, progress, recovery = false }: ModelTablesOptions,
): Promise<ModelTables> {
  const execute = async (operation: string, request: object): Promise<object> =>
    (await workbench.execute(operation, request, caller)) ?? {};
  const wanted = tableRequests(model, now);
  const kept: { name: string; lacks: readonly string[] }[] = [];
  const missing: TableRequests[] = [];
  // All are looked at before the first is made: either all of them fit, or nothing happens.
  for (const one of wanted) {
    const there = await describe(execute, one.create.TableName);
    if (there === undefined) missing.push(one);
    else kept.push({ name: one.create.TableName, lacks: compare(one.create, there) });
  }
  for (const one of missing) await make(execute, one);
  const loaded =
    sample === false || missing.length === 0
      ? { items: new Map<string, number>(), cuts: [] }
      : await load(execute, model, missing, { ...sample, now }, progress);
  if (recovery) for (const one of missing) await keepPast(execute, one);
  return {
    model: model.name,
    made: missing.map(({ create, table }) => ({
      name: create.TableName,
      indexes: [...table.indexes.keys()],
      items: loaded.items.get(create.TableName) ?? 0,
      deletionProtection: table.deletionProtection,
    })),
    kept,
    cuts: loaded.cuts,
    missing: missingHere(missing),
  };
}

type Execute = (operation: string, request: object) => Promise<object>;
type Described = Pick<
  CreateTableRequest,
  "KeySchema" | "AttributeDefinitions" | "GlobalSecondaryIndexes" | "LocalSecondaryIndexes"
>;

async function describe(execute: Execute, name: string): Promise<Described | undefined> {
  try {
    const answer = await execute("DescribeTable", { TableName: name });
    return (answer as { readonly Table: Described }).Table;
  } catch (error) {
    if (error instanceof ServiceError && error.type === "ResourceNotFoundException") {
      return undefined;
    }
    throw refusal(error, name);
  }
}

/** The indexes that a table lacks; throws if it is another table. */
function compare(wanted: CreateTableRequest, there: Described): readonly string[] {
  const [own, other] = [keyText(wanted), keyText(there)];
  if (own !== other) {
    throw new ModelError(
      `Table ${wanted.TableName} exists with the key (${other}) and the model has (${own}); delete it, or serve the model from another folder or with --in-memory.`,
    );
  }
  const names = (table: Described): readonly string[] =>
    [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])].map(
      ({ IndexName }) => IndexName,
    );
  const has = new Set(names(there));
  return names(wanted).filter((name) => !has.has(name));
}

function keyText({ KeySchema, AttributeDefinitions }: Described): string {
  const types = new Map(
    AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  );
  return KeySchema.map(({ AttributeName: name }) => `${name} ${types.get(name)}`).join(", ");
}

/** Sample data was always there, so the past begins after it. */
async function keepPast(execute: Execute, { create, table }: TableRequests): Promise<void> {
  if (table.pitrDays === undefined) return;
  await execute("UpdateContinuousBackups", {
    TableName: create.TableName,
    PointInTimeRecoverySpecification: {
      PointInTimeRecoveryEnabled: true,
      RecoveryPeriodInDays: table.pitrDays,
    },
  });
}

async function make(execute: Execute, requests: TableRequests): Promise<void> {
  const { create, ttl, scaling, table } = requests;
  const name = create.TableName;
  const tags = [...table.tags].map(([Key, Value]) => ({ Key, Value }));
  try {
    await execute("CreateTable", { ...create, ...(tags.length > 0 && { Tags: tags }) });
    if (ttl !== undefined) {
      await execute("UpdateTimeToLive", {
        TableName: name,
        TimeToLiveSpecification: { Enabled: true, AttributeName: ttl },
      });
    }
    for (const { index, direction, min, max, target } of scaling) {
      const word = direction === "read" ? "Read" : "Write";
      const subject = {
        ServiceNamespace: "dynamodb",
        ResourceId: `table/${name}${index === undefined ? "" : `/index/${index}`}`,
        ScalableDimension: `dynamodb:${index === undefined ? "table" : "index"}:${word}CapacityUnits`,
      };
      await execute("AnyScaleFrontendService.RegisterScalableTarget", {
        ...subject,
        MinCapacity: min,
        MaxCapacity: max,
      });
      await execute("AnyScaleFrontendService.PutScalingPolicy", {
        ...subject,
        PolicyName: `${direction}-${target}`,
        PolicyType: "TargetTrackingScaling",
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue: target,
          PredefinedMetricSpecification: {
            PredefinedMetricType: `DynamoDB${word}CapacityUtilization`,
          },
        },
      });
    }
  } catch (error) {
    throw refusal(error, name);
  }
}

/** The service's own refusal is about the model here, so it says of which table. */
function refusal(error: unknown, table: string): unknown {
  return error instanceof ServiceError && error.status < 500
    ? new ModelError(`Table ${table} cannot be made as the model has it: ${error.message}`)
    : error;
}

const batchMax = 25;

async function load(
  execute: Execute,
  model: Model,
  tables: readonly TableRequests[],
  options: { readonly now: number; readonly items?: number; readonly seed?: number },
  progress: ModelTablesOptions["progress"],
): Promise<{ readonly items: ReadonlyMap<string, number>; readonly cuts: readonly Cut[] }> {
  const sample = sampleOf(model, options);
  const byTable = new Map(tables.map(({ create }) => [create.TableName, new Map<string, Item>()]));
  const keys = new Map(tables.map(({ create }) => [create.TableName, keyNames(create)]));
  for (const { table, period, item } of sample.items) {
    const name = tableName({ name: table }, period);
    const key = JSON.stringify(keys.get(name)?.map((one) => item[one]));
    // Two items with one key are one, as they would be if an application wrote both.
    byTable.get(name)?.set(key, item);
  }
  const total = [...byTable.values()].reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const [name, items] of byTable) {
    const list = [...items.values()];
    for (let at = 0; at < list.length; at += batchMax) {
      const batch = list.slice(at, at + batchMax);
      await write(execute, name, batch);
      done += batch.length;
      progress?.(done, total);
    }
  }
  return {
    items: new Map([...byTable].map(([name, items]) => [name, items.size])),
    cuts: sample.cuts,
  };
}

function keyNames({ KeySchema }: CreateTableRequest): readonly string[] {
  return KeySchema.map(({ AttributeName }) => AttributeName);
}

/** How long to wait before what was throttled is written again. */
const restMs = 100;

async function write(execute: Execute, table: string, items: readonly Item[]): Promise<void> {
  let waiting: unknown[] = items.map((item) => ({ PutRequest: { Item: item } }));
  while (waiting.length > 0) {
    try {
      const answer = await execute("BatchWriteItem", { RequestItems: { [table]: waiting } });
      const { UnprocessedItems: left } = answer as {
        readonly UnprocessedItems: Readonly<Record<string, unknown[]>>;
      };
      waiting = own(left, table) ?? [];
    } catch (error) {
      if (!isThrottled(error)) {
        throw error instanceof ServiceError && error.status < 500
          ? new ModelError(`Sample data does not fit into table ${table}: ${error.message}`)
          : error;
      }
    }
    if (waiting.length > 0) await new Promise((next) => setTimeout(next, restMs));
  }
}

function isThrottled(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.type === "ProvisionedThroughputExceededException" ||
      error.type === "ThrottlingException")
  );
}

/** What the model says of tables and there is nothing of here. */
function missingHere(tables: readonly TableRequests[]): readonly string[] {
  const lines: string[] = [];
  const say = (what: string, has: (table: TableRequests["table"]) => boolean): void => {
    const names = tables.filter(({ table }) => has(table)).map(({ create }) => create.TableName);
    if (names.length > 0) lines.push(`${what} (${names.join(", ")})`);
  };
  say("backups", ({ backups }) => backups !== undefined);
  say("replicas in other Regions", ({ replicas }) => replicas.length > 0);
  say("a cache", ({ dax }) => dax !== undefined);
  say("consumers of streams, which --trigger can call", ({ consumers }) => consumers.length > 0);
  return lines;
}

/** The same in words. */
export function modelTablesText({ model, made, kept, cuts, missing }: ModelTables): string {
  const lines = [`Model: ${model}`];
  for (const { name, indexes, items, deletionProtection } of made) {
    const parts = [
      counted(items, "item"),
      ...(indexes.length === 0 ? [] : [`indexes ${indexes.join(", ")}`]),
      ...(deletionProtection ? ["protected from deletion"] : []),
    ];
    lines.push(`  made ${name}: ${parts.join("; ")}`);
  }
  for (const { name, lacks } of kept) {
    const without = lacks.length === 0 ? "" : `; it lacks ${lacks.join(", ")}`;
    lines.push(`  left ${name} as it is, with its data${without}`);
  }
  for (const { from, to, stated, made: each } of cuts) {
    const [less, more] = [rounded(each), rounded(stated)];
    lines.push(`  sample: ${less} ${to} for one ${from}, where the model has ${more}`);
  }
  for (const one of missing) lines.push(`  not here: ${one}`);
  return `${lines.map(printable).join("\n")}\n`;
}

function rounded(value: number): string {
  return new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 }).format(value);
}

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

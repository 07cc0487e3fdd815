import { ServiceError } from "../api/errors/service-error.ts";
import { FolderObjects } from "./folder-objects.ts";
import { type LoadableTable, LoadError, type LoadSource } from "./load-source.ts";
import { type Caller, openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.ts";

export interface LoadTablesOptions {
  /** Whose the tables shall be; by default whose they were, or this one's. */
  readonly caller?: Caller | undefined;
  readonly defaultCaller: Caller;
  /** Tables of the same name are deleted first. */
  readonly replace: boolean;
  readonly progress?: (table: string, done: number, total: number | undefined) => void;
}

export interface LoadedTable {
  readonly name: string;
  readonly items: number;
  /** Of the source, uncompressed. */
  readonly bytes: number;
  /** Items that could not be loaded, and why the first of them could not. */
  readonly errors: number;
  readonly problems: readonly string[];
  /** How many there should be, if that is known and not so. */
  readonly expected?: number;
}

/**
 * Loads tables into a data folder or database. Each is there when all of it is: a table whose load was interrupted
 * is gone when somebody opens the data again.
 */
export async function loadTables(
  place: WorkbenchOptions,
  source: LoadSource,
  options: LoadTablesOptions,
): Promise<readonly LoadedTable[]> {
  const objects = new FolderObjects(source.folder, source.bucket);
  const workbench = await openWorkbench({ ...place, objects });
  try {
    await workbench.idle();
    const tables = source.tables.map((table) => ({ table, caller: callerOf(table, options) }));
    const taken = await takenNames(workbench, tables);
    if (taken.length > 0 && !options.replace) {
      throw new LoadError(
        `There are tables already: ${taken.join(", ")}. --replace deletes them first.`,
      );
    }
    const loaded: LoadedTable[] = [];
    for (const { table, caller } of tables) {
      const told = objects.told.length;
      const result = await loadOne(workbench, source.bucket, table, caller, options);
      loaded.push({ ...result, problems: objects.told.slice(told).map(problemText) });
    }
    return loaded;
  } finally {
    await workbench.close();
  }
}

function callerOf(
  { account, region }: LoadableTable,
  { caller, defaultCaller }: LoadTablesOptions,
): Caller {
  if (caller !== undefined) return caller;
  return { account: account ?? defaultCaller.account, region: region ?? defaultCaller.region };
}

type Wanted = readonly { readonly table: LoadableTable; readonly caller: Caller }[];

async function takenNames(workbench: Workbench, wanted: Wanted): Promise<readonly string[]> {
  const there = await workbench.tables();
  return wanted
    .filter(({ table, caller }) =>
      there.some(
        (one) =>
          one.name === table.definition.create.TableName &&
          one.caller.account === caller.account &&
          one.caller.region === caller.region,
      ),
    )
    .map(({ table }) => table.definition.create.TableName);
}

async function loadOne(
  workbench: Workbench,
  bucket: string,
  table: LoadableTable,
  caller: Caller,
  options: LoadTablesOptions,
): Promise<Omit<LoadedTable, "problems">> {
  const { create, timeToLive, recoveryDays } = table.definition;
  const name = create.TableName;
  const execute = async (operation: string, body: object): Promise<unknown> =>
    workbench.execute(operation, body, caller);
  try {
    if (options.replace) await deleteIfThere(execute, name);
    const result = await workbench.load(
      {
        create,
        timeToLive,
        bucket,
        prefix: table.prefix,
        format: table.format,
        compression: table.compression,
        progress: ({ processed }) => options.progress?.(name, processed, table.items),
      },
      caller,
    );
    if (result.failure !== undefined && result.errors === 0)
      throw new LoadError(result.failure.message);
    await enable(execute, name, create.StreamSpecification, recoveryDays);
    const { imported, errors, bytes } = result;
    const differs = table.items !== undefined && table.items !== imported;
    return { name, items: imported, bytes, errors, ...(differs && { expected: table.items }) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    throw new LoadError(`Table ${name} cannot be loaded: ${error.message}`);
  }
}

type Ask = (operation: string, body: object) => Promise<unknown>;

async function deleteIfThere(execute: Ask, name: string): Promise<void> {
  try {
    await execute("DeleteTable", { TableName: name });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== "ResourceNotFoundException") throw error;
  }
}

/** What would have told of the load itself. */
async function enable(
  execute: Ask,
  name: string,
  stream: unknown,
  recoveryDays: number | undefined,
): Promise<void> {
  if (stream !== undefined)
    await execute("UpdateTable", { TableName: name, StreamSpecification: stream });
  if (recoveryDays === undefined) return;
  await execute("UpdateContinuousBackups", {
    TableName: name,
    PointInTimeRecoverySpecification: {
      PointInTimeRecoveryEnabled: true,
      RecoveryPeriodInDays: recoveryDays,
    },
  });
}

/** What the log of an import says, for people. */
function problemText(line: string): string {
  const { itemS3Pointer: place, errorMessages } = JSON.parse(line) as {
    itemS3Pointer: { key?: string; itemIndex?: number };
    errorMessages: readonly string[];
  };
  const [message = ""] = errorMessages;
  if (place.key === undefined) return message;
  return `${place.key}, item ${(place.itemIndex ?? 0) + 1}: ${message}`;
}

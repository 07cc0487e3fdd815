import {
  CreateBackupCommand,
  DescribeBackupCommand,
  DescribeTableCommand,
  RestoreTableFromBackupCommand,
  type RestoreTableFromBackupCommandInput,
  RestoreTableToPointInTimeCommand,
  type RestoreTableToPointInTimeCommandInput,
  type TableDescription,
  UpdateContinuousBackupsCommand,
} from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, paginateScan } from "@aws-sdk/lib-dynamodb";
import { ManualClock } from "../../../src/base/clock.ts";
import type { ServerOptions } from "../../../src/index.ts";
import { freshName, type TestServer, useServer } from "../harness.ts";

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export interface BackupServer extends TestServer {
  readonly clock: ManualClock;
  /** Lets time pass, and the server do what it brings. */
  elapse(milliseconds: number): Promise<void>;
  put(table: string, item: Record<string, unknown>): Promise<void>;
  remove(table: string, key: Record<string, unknown>): Promise<void>;
  /** All items, by their JSON. */
  items(table: string, index?: string): Promise<readonly string[]>;
  /** Makes a backup and waits until it is there; answers its ARN. */
  backup(table: string, name?: string): Promise<string>;
  enable(table: string, days?: number): Promise<void>;
  /** Starts to restore a backup, and waits for the table; answers its name. */
  restore(arn: string, more?: Partial<RestoreTableFromBackupCommandInput>): Promise<string>;
  /** The same to a moment; the latest, if there is none. */
  restoreTo(
    source: string,
    at?: Date,
    more?: Partial<RestoreTableToPointInTimeCommandInput>,
  ): Promise<string>;
  describe(table: string): Promise<TableDescription>;
}

/** A server whose clock is in the hands of the tests. */
export function useBackups(options: ServerOptions = {}): BackupServer {
  const clock = new ManualClock();
  const server = useServer({ ...options, clock }) as BackupServer;
  const waiting = async (): Promise<void> => server.running.workbench.idle();
  return Object.assign(server, {
    clock,
    elapse: async (milliseconds: number) => {
      clock.advance(milliseconds);
      await waiting();
    },
    put: async (TableName: string, Item: Record<string, unknown>) => {
      await server.documents.send(new PutCommand({ TableName, Item }));
    },
    remove: async (TableName: string, Key: Record<string, unknown>) => {
      await server.documents.send(new DeleteCommand({ TableName, Key }));
    },
    items: async (TableName: string, IndexName?: string) => {
      const found: string[] = [];
      const pages = paginateScan(
        { client: server.documents },
        { TableName, ...(IndexName !== undefined && { IndexName }) },
      );
      for await (const { Items = [] } of pages) {
        for (const item of Items) found.push(JSON.stringify(item, Object.keys(item).sort()));
      }
      return found.sort();
    },
    backup: async (TableName: string, BackupName = "nightly") => {
      const { BackupDetails: details } = await server.client.send(
        new CreateBackupCommand({ TableName, BackupName }),
      );
      await waiting();
      return details?.BackupArn ?? "";
    },
    enable: async (TableName: string, RecoveryPeriodInDays?: number) => {
      await server.client.send(
        new UpdateContinuousBackupsCommand({
          TableName,
          PointInTimeRecoverySpecification: {
            PointInTimeRecoveryEnabled: true,
            ...(RecoveryPeriodInDays !== undefined && { RecoveryPeriodInDays }),
          },
        }),
      );
    },
    restore: async (BackupArn: string, more: Partial<RestoreTableFromBackupCommandInput> = {}) => {
      const TargetTableName = freshName("restored");
      await server.client.send(
        new RestoreTableFromBackupCommand({ TargetTableName, BackupArn, ...more }),
      );
      await waiting();
      return more.TargetTableName ?? TargetTableName;
    },
    restoreTo: async (
      SourceTableName: string,
      at?: Date,
      more: Partial<RestoreTableToPointInTimeCommandInput> = {},
    ) => {
      const TargetTableName = freshName("restored");
      await server.client.send(
        new RestoreTableToPointInTimeCommand({
          SourceTableName,
          TargetTableName,
          ...(at === undefined ? { UseLatestRestorableTime: true } : { RestoreDateTime: at }),
          ...more,
        }),
      );
      await waiting();
      return more.TargetTableName ?? TargetTableName;
    },
    describe: async (TableName: string) => {
      const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
      return Table as TableDescription;
    },
  });
}

export async function describeBackup(server: TestServer, BackupArn: string) {
  const { BackupDescription } = await server.client.send(new DescribeBackupCommand({ BackupArn }));
  return BackupDescription;
}

/** An item as `items` shows it. */
export const shown = (item: Record<string, unknown>): string =>
  JSON.stringify(item, Object.keys(item).sort());

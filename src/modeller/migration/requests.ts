import type { CreateTableRequest, GlobalSecondaryIndex } from "../../api/requests/create-table.ts";
import type { Table } from "../../model/design.ts";
import { requestsFor } from "../requests/table-requests.ts";
import type { ApiRequest } from "./step.ts";

/** Tables of periods are many; what is said of one holds for each. */
const everyPeriod = "PERIOD";

export function periodOf({ periods }: Table): string | undefined {
  return periods === undefined ? undefined : everyPeriod;
}

/** The table as one request would make it. */
export function createOf(table: Table): CreateTableRequest {
  return requestsFor(table, periodOf(table), table).create;
}

export function expiryOf(table: Table): string | undefined {
  return requestsFor(table, periodOf(table), table).ttl;
}

export const tableNameOf = (table: Table): string => createOf(table).TableName;

/** All that makes a new table. */
export function tableCreation(table: Table): readonly ApiRequest[] {
  const { create, ttl, scaling } = requestsFor(table, periodOf(table), table);
  const TableName = create.TableName;
  return [
    { operation: "CreateTable", request: create },
    ...(ttl === undefined ? [] : [timeToLive(TableName, ttl, true)]),
    ...(table.pitrDays === undefined ? [] : [pointInTime(TableName, table.pitrDays)]),
    ...scaling.map(({ index, direction, min, max }) => ({
      operation: "RegisterScalableTarget",
      request: {
        ServiceNamespace: "dynamodb",
        ResourceId: `table/${TableName}${index === undefined ? "" : `/index/${index}`}`,
        ScalableDimension: `dynamodb:${index === undefined ? "table" : "index"}:${direction === "read" ? "Read" : "Write"}CapacityUnits`,
        MinCapacity: min,
        MaxCapacity: max,
      },
    })),
  ];
}

export function timeToLive(TableName: string, AttributeName: string, Enabled: boolean): ApiRequest {
  return {
    operation: "UpdateTimeToLive",
    request: { TableName, TimeToLiveSpecification: { Enabled, AttributeName } },
  };
}

export function pointInTime(TableName: string, days: number | undefined): ApiRequest {
  return {
    operation: "UpdateContinuousBackups",
    request: {
      TableName,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: days !== undefined,
        ...(days !== undefined && { RecoveryPeriodInDays: days }),
      },
    },
  };
}

export function updateTable(TableName: string, members: object): ApiRequest {
  return { operation: "UpdateTable", request: { TableName, ...members } };
}

/** One index more: a request may make or delete one, and names the types of all its key attributes. */
export function indexCreation(table: Table, index: string): ApiRequest {
  const create = createOf(table);
  const made = create.GlobalSecondaryIndexes?.find((one) => one.IndexName === index);
  const keys = new Set((made as GlobalSecondaryIndex).KeySchema.map((one) => one.AttributeName));
  return updateTable(create.TableName, {
    AttributeDefinitions: create.AttributeDefinitions.filter((one) => keys.has(one.AttributeName)),
    GlobalSecondaryIndexUpdates: [{ Create: made }],
  });
}

export function indexDeletion(table: Table, index: string): ApiRequest {
  return updateTable(tableNameOf(table), {
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: index } }],
  });
}

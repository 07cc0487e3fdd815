import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { backgroundOf } from "../plans/background.ts";
import type { PlannedRequest } from "../plans/plan.ts";
import { plansOf } from "../plans/planner.ts";
import { requestsFor, type TableRequests } from "../requests/table-requests.ts";
import { type AccessPolicy, policiesOf } from "./access.ts";
import { type Alarm, alarmsOf } from "./alarms.ts";
import { type BackupRule, backupRules } from "./backups.ts";
import { type Consumer, consumersOf, longFilters } from "./consumers.ts";
import { type Schedule, schedulesOf, unreadableSchedules } from "./schedules.ts";
import { periodMax, prefixMax, projectMax, tableNameMax } from "./service-limits.ts";
import { plainName } from "./short-name.ts";
import { refusedTags } from "./tags.ts";
import { replicated, warmed } from "./throughput.ts";

/** What has to exist for a design, before it is said in any language. */
export interface Infrastructure {
  readonly model: string;
  /** What the project is called unless somebody says otherwise. */
  readonly project: string;
  /** How long what is put before the names of tables may be. */
  readonly prefixMax: number;
  readonly tables: readonly TableDescription[];
  readonly backups: readonly BackupRule[];
  readonly policies: readonly AccessPolicy[];
  /** What the design asks for and the files do not hold, in sentences. */
  readonly missing: readonly string[];
}

export interface TableDescription {
  readonly table: Table;
  /** The table, or that of the present period. Its name has no period: that is put in where it is made. */
  readonly now: TableRequests;
  /** Tables of periods that are over, which may be run in another way. */
  readonly older: TableRequests | undefined;
  readonly consumers: readonly Consumer[];
  readonly schedules: readonly Schedule[];
  readonly alarms: readonly Alarm[];
}

/** Nothing if the model has no design. */
export function infrastructureOf(model: Model): Infrastructure | undefined {
  if (model.design === undefined) return undefined;
  const tables = [...model.design.tables.values()];
  const facts = new Facts(model);
  const plans = plansOf(facts);
  const background = backgroundOf(facts, plans);
  const requests = [...plans.values(), ...background].flatMap((one) => one.requests);
  const longest = Math.max(
    ...tables.map(({ name, periods }) => name.length + (periods === undefined ? 0 : periodMax)),
  );
  return {
    model: model.name,
    project: plainName(model.name, projectMax),
    prefixMax: Math.max(0, Math.min(prefixMax, tableNameMax - longest)),
    tables: tables.map((table) => tableOf(table, operationsOn(table, requests))),
    backups: backupRules(tables),
    policies: policiesOf([...plans.values()], background),
    missing: tables.flatMap(missingOf),
  };
}

function tableOf(table: Table, operations: readonly string[]): TableDescription {
  const now = warmed(replicated(requestsFor(table, undefined, table)));
  const older =
    table.periods && warmed(replicated(requestsFor(table, undefined, table.periods.older)));
  const consumers = consumersOf(table);
  return {
    table,
    now,
    older,
    consumers,
    schedules: schedulesOf(table),
    alarms: alarmsOf(table, now, consumers, operations),
  };
}

/** The operations that are used on a table, for which CloudWatch keeps numbers of their own. */
function operationsOn(table: Table, requests: readonly PlannedRequest[]): readonly string[] {
  const own = requests.filter((request) =>
    request.kind === "write"
      ? request.actions.some(({ record }) => record.table.name === table.name)
      : request.table.name === table.name,
  );
  return [...new Set(own.map(({ operation }) => operation))].toSorted();
}

function missingOf(table: Table): readonly string[] {
  const { name, replicas, stream } = table;
  return [
    ...refusedTags(table),
    ...unreadableSchedules(table),
    ...longFilters(table),
    ...(replicas.length > 0 && stream !== undefined && stream !== "new-and-old-images"
      ? [`The stream of ${name} has both images, because its replicas need them.`]
      : []),
  ];
}

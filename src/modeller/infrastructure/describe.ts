import type { Table } from "../../model/design.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { requestsFor, type TableRequests } from "../requests/table-requests.ts";
import { type AccessPolicy, policiesOf } from "./access.ts";
import { type Alarm, alarmsOf } from "./alarms.ts";

/** What has to exist for a design, before it is said in any language. */
export interface Infrastructure {
  readonly model: string;
  readonly tables: readonly TableDescription[];
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
  readonly alarms: readonly Alarm[];
}

export interface Consumer {
  readonly name: string;
  readonly purpose: string | undefined;
  readonly batch: number;
  readonly windowSeconds: number;
  /** One pattern as JSON. */
  readonly filter: string | undefined;
  readonly start: "LATEST" | "TRIM_HORIZON";
}

/** Nothing if the model has no design. */
export function infrastructureOf(model: Model): Infrastructure | undefined {
  if (model.design === undefined) return undefined;
  const tables = [...model.design.tables.values()];
  const plans = [...plansOf(new Facts(model)).values()];
  return {
    model: model.name,
    tables: tables.map(tableOf),
    policies: policiesOf(plans),
    missing: tables.flatMap(missingOf),
  };
}

function tableOf(table: Table): TableDescription {
  const now = replicated(requestsFor(table, undefined, table));
  const older = table.periods && replicated(requestsFor(table, undefined, table.periods.older));
  return {
    table,
    now,
    older,
    consumers: table.consumers.map(({ name, purpose, batch, windowMs, filter, start }) => ({
      name,
      purpose,
      batch,
      windowSeconds: Math.ceil(windowMs / 1000),
      filter: filter && JSON.stringify(filter),
      start: start === "latest" ? "LATEST" : "TRIM_HORIZON",
    })),
    alarms: alarmsOf(table, now),
  };
}

/** Replicas are kept by a stream with both images, whatever else the design wants of one. */
function replicated(requests: TableRequests): TableRequests {
  if (requests.table.replicas.length === 0) return requests;
  const stream = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } as const;
  return { ...requests, create: { ...requests.create, StreamSpecification: stream } };
}

function missingOf({ name, dax, backups, replicas, stream }: Table): readonly string[] {
  return [
    ...(dax === undefined
      ? []
      : [`The DAX cluster of ${name} is not in it: it needs subnets and a role of your network.`]),
    ...(backups === undefined
      ? []
      : [`The backup plan of ${name} is not in it: backups belong to a vault of your account.`]),
    ...(replicas.length > 0 && stream !== undefined && stream !== "new-and-old-images"
      ? [`The stream of ${name} has both images, because its replicas need them.`]
      : []),
  ];
}

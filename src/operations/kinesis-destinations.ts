import { destinationFailures } from "../api/errors/kinesis.ts";
import { tableNotFound } from "../api/errors/table.ts";
import { isGone } from "../engine/catalog.ts";
import {
  type KinesisDestination,
  type TableDescriptor,
  tableStatus,
} from "../engine/descriptor.ts";
import type { Context } from "./operation.ts";
import { tableNameOf } from "./table-name.ts";

/**
 * Kinesis data streams that a table's changes shall go to. There is no Kinesis here: the settings are
 * kept and told, and nothing is sent. So a stream is taken to exist if its ARN could be that of one.
 */

export type DestinationStatus =
  | "ENABLING"
  | "ACTIVE"
  | "UPDATING"
  | "DISABLING"
  | "DISABLED"
  | "ENABLE_FAILED";

export function statusOf({ status, passing }: KinesisDestination, now: number): DestinationStatus {
  return passing !== undefined && now < passing.until ? passing.status : status;
}

/** A table has one destination at most that is neither of these. */
export function isIdle(destination: KinesisDestination, now: number): boolean {
  const status = statusOf(destination, now);
  return status === "DISABLED" || status === "ENABLE_FAILED";
}

export function findDestination(
  { kinesis = [] }: TableDescriptor,
  stream: string,
): KinesisDestination | undefined {
  return kinesis.find((destination) => destination.stream === stream);
}

/** Puts a destination in the place of the former one for the same stream, or before all others. */
export function withDestination(
  table: TableDescriptor,
  destination: KinesisDestination,
): TableDescriptor {
  const { kinesis = [] } = table;
  const isKnown = findDestination(table, destination.stream) !== undefined;
  const after = isKnown
    ? kinesis.map((one) => (one.stream === destination.stream ? destination : one))
    : [destination, ...kinesis];
  return { ...table, version: table.version + 1, kinesis: after };
}

/** On its way to a state, if that takes its time. */
export function passingTo(
  status: NonNullable<KinesisDestination["passing"]>["status"],
  { database: { clock, transitionMs } }: Context,
): Pick<KinesisDestination, "passing"> {
  return transitionMs === 0 ? {} : { passing: { status, until: clock.now() + transitionMs } };
}

/** What enabling a stream of this ARN comes to. */
export function outcomeOf(
  { account, region }: Context,
  arn: string,
): Pick<KinesisDestination, "status" | "failure"> {
  const [, , service, ofRegion, ofAccount, resource = ""] = arn.split(":");
  const failed = (failure: string) => ({ status: "ENABLE_FAILED" as const, failure });
  if (service !== "kinesis" || !/^stream\/[^/]+$/.test(resource)) {
    return failed(destinationFailures.noStream);
  }
  if (ofRegion !== region) return failed(destinationFailures.otherRegion);
  if (ofAccount !== account) return failed(destinationFailures.otherAccount);
  return { status: "ACTIVE" };
}

/** Nothing is known of a table before it has been made. */
export function requireTable(
  table: TableDescriptor | undefined,
  name: string,
  now: number,
): TableDescriptor {
  if (table === undefined || isGone(table, now) || tableStatus(table, now) === "CREATING") {
    throw tableNotFound(name);
  }
  return table;
}

/** Changes the destinations of a table in one commit; one that is being deleted stays as it is. */
export async function changeDestinations(
  context: Context,
  nameOrArn: string,
  change: (table: TableDescriptor, now: number) => KinesisDestination | undefined,
): Promise<string> {
  const { database, namespace } = context;
  const name = tableNameOf(context, nameOrArn);
  await database.catalog.change(namespace, name, (found) => {
    const now = database.clock.now();
    const table = requireTable(found, name, now);
    const destination = change(table, now);
    const stays = destination === undefined || tableStatus(table, now) === "DELETING";
    return { table: stays ? table : withDestination(table, destination), result: undefined };
  });
  return name;
}

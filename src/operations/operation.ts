import type { Dialect } from "../api/dialect.ts";
import type { StructShape } from "../api/shape.ts";
import type { MaybePromise } from "../base/maybe-promise.ts";
import type { Database } from "../engine/database.ts";
import type { Traffic } from "../traffic/traffic.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { Insights } from "./insights.ts";

/** Who asks, and of which database. */
export interface Context {
  readonly database: Database;
  /** Tables of different namespaces know nothing of each other. */
  readonly namespace: string;
  readonly account: string;
  readonly region: string;
  readonly dialect: Dialect;
  /** Where the server can be reached, if there is one: host and port. */
  readonly address?: () => string;
  /** Counts the keys of tables and indexes that have Contributor Insights enabled. */
  readonly insights: Insights;
  /** Is told what requests do to tables; forbids what exceeds their throughput. */
  readonly traffic: Traffic;
  /** Exports and imports. */
  readonly transfers: Transfers;
  /** When the request began, on the clock of `traffic`. */
  readonly startedAt: number;
}

/** One operation of the API. `run` is called with a request whose types and constraints were checked. */
export interface Operation<Request> {
  readonly name: string;
  readonly shape: StructShape<Request>;
  /** Members of the request whose feature is not there: they are refused by name. */
  readonly refused?: readonly string[];
  /** Throws ServiceError; the answer may hold RawJson. Undefined: there is nothing to tell. */
  run(context: Context, request: Request): MaybePromise<object | undefined>;
}

/** What a program may say of a function that is called. */
export interface FunctionOptions {
  /** The module, relative to the working directory: .mjs, .js, .cjs, or .ts if Node can run it. */
  readonly handler: string;
  /** The name that the module exports the function by; `handler` unless told. */
  readonly export?: string;
  /** The function's name; the file's unless told. With the table it names where reading stopped. */
  readonly name?: string;
  /** Seconds a call may take; 3 unless told, up to 900. */
  readonly timeout?: number;
  /** Megabytes of heap; 128 unless told. */
  readonly memory?: number;
  /** So many calls run at a time; 10 unless told. */
  readonly concurrency?: number;
  /** The Region whose tables are meant. */
  readonly region?: string;
  /** The access key whose tables are meant. */
  readonly accessKey?: string;
}

/** A function that is called with what changes in a table. */
export interface TriggerOptions extends FunctionOptions {
  readonly table: string;
  /** Records a call gets at most; 100 unless told, up to 10,000. */
  readonly batchSize?: number;
  /** Seconds to wait for a batch to fill; 0 unless told, up to 300. */
  readonly window?: number;
  /** Where to begin on a stream that was there before; `TRIM_HORIZON` unless told. */
  readonly start?: "TRIM_HORIZON" | "LATEST";
  /** Batches of one shard at a time; 1 unless told, up to 10. */
  readonly parallel?: number;
  /** Split a batch that fails. */
  readonly bisect?: boolean;
  /** How often a failed batch is tried again, up to 10,000; -1, the default, is without end. */
  readonly retries?: number;
  /** Seconds after which a record is given up, from 60 to 604,800; -1, the default, is never. */
  readonly maxAge?: number;
  /** The function answers with the records that failed. */
  readonly reportItemFailures?: boolean;
  /** A file that is told of records that were given up, as lines of JSON. */
  readonly onFailure?: string;
  /** Patterns of which a record must match one; up to 10. */
  readonly filter?: readonly object[] | object;
}

/** A function that is called at times. */
export interface ScheduleOptions extends FunctionOptions {
  /** `rate(5 minutes)` or `cron(0 12 * * ? *)`. */
  readonly schedule: string;
  /** The event, instead of the one that EventBridge Scheduler makes up. */
  readonly input?: unknown;
  /** Also once when the server starts. */
  readonly atStart?: boolean;
}

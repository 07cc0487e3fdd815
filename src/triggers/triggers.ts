import type { Clock } from "../base/clock.ts";
import { accountOf, sharedCaller } from "../workbench/account.ts";
import type { Caller, Workbench } from "../workbench/workbench.ts";
import { checkDestination } from "./discarded.ts";
import { uselessNumericPlaces } from "./filter-pattern.ts";
import { functionEnvironment } from "./function-environment.ts";
import { HostedFunction } from "./hosted-function.ts";
import { TriggerOptionsError } from "./options-error.ts";
import type { AllSettings } from "./read-options.ts";
import { ScheduleRunner } from "./schedule-runner.ts";
import type { FunctionSettings } from "./settings.ts";
import { TriggerLog } from "./trigger-log.ts";
import { TriggerRunner } from "./trigger-runner.ts";
import { WorkbenchStreams } from "./workbench-streams.ts";

export interface TriggersOptions {
  readonly settings: AllSettings;
  readonly workbench: Workbench;
  /** Where the server answers. */
  readonly url: string;
  /** One space of tables for all access keys and Regions. */
  readonly shared: boolean;
  readonly clock: Clock;
  /** Is told what is called, and what functions print. */
  readonly write: (text: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** When the server stops, calls that are running have this long to end. */
const stopGraceMs = 10_000;

/** Complains of what can be seen to be impossible before anything is started. */
export function checkSettings({ triggers, schedules }: AllSettings, shared: boolean): void {
  for (const { name, region, accessKey } of [...triggers, ...schedules]) {
    if (!shared || (region ?? accessKey) === undefined) continue;
    throw new TriggerOptionsError(
      `${name}: region and access-key tell spaces of tables apart, and with --shared there is one.`,
    );
  }
  for (const { onFailure } of triggers) if (onFailure !== undefined) checkDestination(onFailure);
}

/** All triggers and schedules of a server. */
export class Triggers {
  readonly #options: TriggersOptions;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #log: TriggerLog;
  readonly #hosted: HostedFunction[] = [];
  readonly #runners: readonly { stop(): Promise<void> }[];

  constructor(options: TriggersOptions) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    const { settings, workbench, clock } = options;
    const log = new TriggerLog(options.write, () => clock.now());
    this.#log = log;
    const source = new WorkbenchStreams(workbench);
    const triggers = settings.triggers.map((trigger) => {
      for (const place of trigger.filters.flatMap((filter) => uselessNumericPlaces(filter))) {
        const why = "numbers of items are strings in a record";
        log.tell(trigger.name, `the filter's numeric rule at ${place} never matches: ${why}`);
      }
      return new TriggerRunner({
        trigger,
        source,
        notes: workbench.notes,
        clock,
        log,
        host: (caller) => this.#host(trigger, caller, this.#accessKeyOf(trigger, caller)),
        isMeant: (caller) => isMeant(trigger, caller),
      });
    });
    const schedules = settings.schedules.map((schedule) => {
      const accessKey = schedule.accessKey ?? this.#env.AWS_ACCESS_KEY_ID ?? "local";
      const caller = this.#callerOf(schedule, accessKey);
      const hosted = this.#host(schedule, caller, accessKey);
      return new ScheduleRunner({ schedule, hosted, caller, clock, log });
    });
    this.#runners = [...triggers, ...schedules];
  }

  /** A schedule is about no table: it works on those of the environment that the server was started in. */
  #callerOf({ region }: FunctionSettings, accessKey: string): Caller {
    if (this.#options.shared) return sharedCaller;
    const { AWS_REGION, AWS_DEFAULT_REGION } = this.#env;
    return {
      account: accountOf(accessKey),
      region: region ?? AWS_REGION ?? AWS_DEFAULT_REGION ?? "us-east-1",
    };
  }

  /** One that stands for the caller; an account's number stands for itself. */
  #accessKeyOf({ accessKey }: FunctionSettings, { account }: Caller): string {
    const own = this.#env.AWS_ACCESS_KEY_ID;
    if (this.#options.shared) return own ?? "local";
    if (accessKey !== undefined) return accessKey;
    return own !== undefined && accountOf(own) === account ? own : account;
  }

  #host(settings: FunctionSettings, caller: Caller, accessKey: string): HostedFunction {
    const { url, clock } = this.#options;
    const { name } = settings;
    const surroundings = { url, caller, accessKey, env: this.#env, now: clock.now() };
    const hosted = new HostedFunction({
      function: settings,
      env: functionEnvironment(settings, surroundings),
      arn: `arn:aws:lambda:${caller.region}:${caller.account}:function:${name}`,
      output: (text) => this.#log.print(name, text),
      told: (text) => this.#log.tell(name, text),
    });
    this.#hosted.push(hosted);
    return hosted;
  }

  /** Begins nothing more, waits for what is running, and notes how far everything came. */
  async stop(): Promise<void> {
    const grace = setTimeout(() => this.#close(), stopGraceMs).unref();
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    clearTimeout(grace);
    this.#close();
  }

  #close(): void {
    for (const hosted of this.#hosted) hosted.close();
  }
}

function isMeant({ region, accessKey }: FunctionSettings, caller: Caller): boolean {
  return (
    (region === undefined || region === caller.region) &&
    (accessKey === undefined || accountOf(accessKey) === caller.account)
  );
}

import type { Clock } from "../base/clock.ts";
import type { Caller } from "../workbench/workbench.ts";
import type { HostedFunction } from "./hosted-function.ts";
import { scheduleEvent } from "./schedule-event.ts";
import { nextTime } from "./schedule-expression.ts";
import type { ScheduleSettings } from "./settings.ts";
import { Signal } from "./signal.ts";
import type { TriggerLog } from "./trigger-log.ts";

export interface ScheduleRunnerOptions {
  readonly schedule: ScheduleSettings;
  readonly hosted: Pick<HostedFunction, "call" | "name" | "warm">;
  readonly caller: Caller;
  readonly clock: Clock;
  readonly log: TriggerLog;
}

/**
 * Calls a function at its times. A run that takes longer than the time to the next one does not hold
 * that up; times that passed while the machine slept are one run.
 */
export class ScheduleRunner {
  readonly #options: ScheduleRunnerOptions;
  readonly #signal: Signal;
  readonly #running = new Set<Promise<void>>();
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(options: ScheduleRunnerOptions) {
    this.#options = options;
    this.#signal = new Signal(options.clock);
    this.#ended = this.#run();
  }

  async #run(): Promise<void> {
    const { schedule, clock, log, hosted } = this.#options;
    const since = clock.now();
    if (schedule.atStart) this.#call(since);
    else void hosted.warm();
    while (!this.#isStopped) {
      const due = nextTime(schedule.expression, since, clock.now());
      if (due === undefined) {
        log.tell(hosted.name, "its schedule has no time left");
        return;
      }
      while (!this.#isStopped && clock.now() < due) await this.#signal.wait(due);
      if (!this.#isStopped) this.#call(due);
    }
  }

  #call(at: number): void {
    const call = this.#callOnce(at).finally(() => this.#running.delete(call));
    this.#running.add(call);
  }

  async #callOnce(at: number): Promise<void> {
    const { schedule, hosted, caller, log } = this.#options;
    const { name, input } = schedule;
    const outcome = await hosted.call(scheduleEvent({ name, caller, at, input }));
    if (this.#isStopped && outcome.kind !== "answered") return;
    const due = new Date(at).toISOString().slice(11, 19);
    if (outcome.kind === "unusable") log.tell(name, `due at ${due}: left out`);
    else if (outcome.kind === "answered") log.tell(name, `due at ${due}, ${outcome.ms} ms: ok`);
    else {
      log.tell(name, `due at ${due}, ${outcome.ms} ms: failed with ${outcome.type}`);
      log.print(name, outcome.text);
    }
  }

  /** Begins no more runs; resolves when those that are running have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#signal.notify();
    await this.#ended;
    await Promise.all(this.#running);
  }
}

import type { Caller } from "../workbench/workbench.ts";
import type { HostedFunction } from "./hosted-function.ts";
import type { TriggerSettings } from "./settings.ts";
import type { ConsumerOptions } from "./shard-consumer.ts";
import { Signal } from "./signal.ts";
import type { Notes, StreamSource } from "./stream-source.ts";
import { TableFollower } from "./table-follower.ts";

export interface TriggerRunnerOptions extends Pick<ConsumerOptions, "clock" | "log"> {
  readonly trigger: TriggerSettings;
  readonly source: StreamSource;
  readonly notes: Notes;
  /** The function for the tables of a caller. */
  readonly host: (caller: Caller) => HostedFunction;
  /** Whether tables of this caller are meant. */
  readonly isMeant: (caller: Caller) => boolean;
}

/** One trigger: finds the tables that have its name, whoever they belong to, and follows each of them. */
export class TriggerRunner {
  readonly #options: TriggerRunnerOptions;
  readonly #followers = new Map<string, TableFollower>();
  readonly #running = new Set<Promise<void>>();
  readonly #since: number;
  readonly #signal: Signal;
  readonly #unfollow: () => void;
  readonly #found: Promise<void>;
  #isStopped = false;

  constructor(options: TriggerRunnerOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#signal = new Signal(options.clock);
    this.#unfollow = options.source.follow(options.trigger.table, (what) => this.#tell(what));
    this.#found = this.#find();
  }

  #tell(what: "table" | "records"): void {
    for (const follower of this.#followers.values()) follower.tell(what);
    if (what === "table") this.#signal.notify();
  }

  /** Looks for tables now, and again whenever one has changed. */
  async #find(): Promise<void> {
    let isFirst = true;
    while (!this.#isStopped) {
      try {
        for (const caller of await this.#owners(isFirst)) this.#follow(caller);
        isFirst = false;
        await this.#signal.wait();
      } catch (error) {
        const { clock } = this.#options;
        this.#complain(`its table cannot be looked for: ${(error as Error).message}`);
        await this.#signal.wait(clock.now() + 1_000);
      }
    }
  }

  /** Also those whose table is gone by now, but was not read to its end when the server stopped. */
  async #owners(withNoted: boolean): Promise<readonly Caller[]> {
    const { source, notes, trigger, isMeant } = this.#options;
    const owners = [...(await source.owners(trigger.table))];
    if (withNoted) {
      for (const name of await notes.names(`trigger/${trigger.name}/`)) {
        const [, , account = "", region = "", table] = name.split("/");
        if (table === trigger.table) owners.push({ account, region });
      }
    }
    return owners.filter(isMeant);
  }

  #follow(caller: Caller): void {
    const id = `${caller.account}/${caller.region}`;
    if (this.#followers.has(id)) return;
    const { notes, host, trigger, source, clock, log } = this.#options;
    const hosted = host(caller);
    const options = { trigger, source, clock, log, hosted };
    const follower = new TableFollower(options, notes, caller, this.#since);
    hosted.onChange(() => follower.hurry());
    void hosted.warm();
    this.#followers.set(id, follower);
    const run = follower
      .run()
      .catch((error: unknown) => this.#complain((error as Error).stack ?? String(error)))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  #complain(text: string): void {
    const { log, trigger } = this.#options;
    if (!this.#isStopped) log.tell(trigger.name, `${trigger.table}: ${text}`);
  }

  /** Takes no more records; resolves when calls that are running have ended and all is noted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unfollow();
    this.#signal.notify();
    for (const follower of this.#followers.values()) follower.stop();
    await this.#found;
    await Promise.all(this.#running);
  }
}

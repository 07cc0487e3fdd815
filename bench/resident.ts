import { readFileSync, writeFileSync } from "node:fs";

/** Megabytes: all that is resident, as `ps` tells it, and of that what is the process's own and not a page of a file. */
export interface Memory {
  readonly all: number;
  readonly own: number;
}

/** What a process takes now; nothing if it has ended. */
export function memoryOf(pid: number | undefined): Memory {
  return look(pid, "VmRSS") ?? { all: 0, own: 0 };
}

/** The most that a process takes from now on, until it is asked: of all by the kernel's own account. */
export class PeakMemory {
  readonly #pid: number | undefined;
  readonly #timer: NodeJS.Timeout;
  #peak: Memory = { all: 0, own: 0 };

  constructor(pid: number | undefined) {
    this.#pid = pid;
    // The kernel begins anew.
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    this.#timer = setInterval(() => this.#look(), 20);
  }

  #look(): void {
    const now = look(this.#pid, "VmHWM");
    if (now === undefined) return;
    this.#peak = {
      all: Math.max(this.#peak.all, now.all),
      own: Math.max(this.#peak.own, now.own),
    };
  }

  end(): Memory {
    clearInterval(this.#timer);
    this.#look();
    return this.#peak;
  }
}

export function memoryText({ all, own }: Memory, idle?: Memory): string {
  const above = idle === undefined ? "" : `, ${(all - idle.all).toFixed(0)} MB above idle`;
  return `${all.toFixed(0)} MB resident${above} (${own.toFixed(0)} MB of its own)`;
}

function look(pid: number | undefined, resident: "VmRSS" | "VmHWM"): Memory | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  const read = (name: string): number | undefined => {
    const kilobytes = new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  };
  const all = read(resident);
  return all === undefined ? undefined : { all, own: read("RssAnon") ?? 0 };
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Names a running process so that a later process with the same number is told apart: its number and
 * the time of its start, as far as the platform tells it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, started: startOf(pid) };
}

export function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not permitted to signal it: it is there, and somebody else's.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = startOf(pid);
  return now === "" || started === "" || now === started;
}

function startOf(pid: number): string {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      // The command's name is in brackets and may hold blanks; the start is the 20th field after it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
      return `${boot}/${fields[19]}`;
    }
    if (process.platform === "win32") return "";
    // Loaded here because few need it.
    const { execFileSync } = createRequire(import.meta.url)(
      "node:child_process",
    ) as typeof import("node:child_process");
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "latin1",
      env: { ...process.env, LC_ALL: "C" },
    }).trim();
  } catch {
    return "";
  }
}

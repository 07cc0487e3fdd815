import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  /** CPU time since the processes began. */
  readonly cpuSeconds: number;
  readonly residentMegabytes: number;
}

/** What Linux counts CPU time in, on every platform that Node runs on. */
const ticksPerSecond = 100;

/** CPU and memory of a process and all that it started; undefined where there is no /proc. */
export function usageOf(pid: number): Usage | undefined {
  if (process.platform !== "linux") return undefined;
  let cpuSeconds = 0;
  let residentMegabytes = 0;
  for (const each of withDescendants(pid)) {
    const fields = statFields(each);
    if (fields === undefined) continue;
    cpuSeconds += (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    residentMegabytes += residentOf(each);
  }
  return { cpuSeconds, residentMegabytes };
}

function withDescendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const child = Number(name);
    const fields = Number.isInteger(child) ? statFields(child) : undefined;
    if (fields === undefined) continue;
    const parent = Number(fields[1]);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [child]);
    else siblings.push(child);
  }
  const family = [pid];
  for (const each of family) family.push(...(children.get(each) ?? []));
  return family;
}

/** The fields after the program's name, which may itself hold blanks. */
function statFields(pid: number): string[] | undefined {
  const text = readProc(pid, "stat");
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

function residentOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readProc(pid, "status") ?? "")?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

/** A process may end between being listed and being looked at. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

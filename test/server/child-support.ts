import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const builtCli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** All that it has written so far. */
  readonly written: { out: string; err: string };
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

export function run(command: string, args: readonly string[], cwd?: string): Child {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const written = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    written.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    written.err += chunk.toString();
  });
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  return { process: child, written, ended };
}

export function runCli(args: readonly string[], cwd?: string): Child {
  if (!existsSync(builtCli)) throw new Error("dist/ is missing: run npm run build first");
  return run(process.execPath, [builtCli, ...args], cwd);
}

/** What a command has written when it has ended. */
export async function endOfCli(args: readonly string[], cwd?: string) {
  const child = runCli(args, cwd);
  return { code: await child.ended, ...child.written };
}

/** The endpoint that a starting server tells, once it does. */
export async function endpointOf(child: Child): Promise<string> {
  let gone = false;
  void child.ended.then(() => {
    gone = true;
  });
  for (;;) {
    const found = /AWS_ENDPOINT_URL_DYNAMODB=(\S+)\n/.exec(child.written.out)?.[1];
    if (found !== undefined) return found;
    if (gone) throw new Error(`the server ended early: ${child.written.err}`);
    await new Promise((next) => setTimeout(next, 20));
  }
}

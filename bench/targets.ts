import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Children } from "./children.ts";
import type { OwnVariant, PeerName } from "./options.ts";

/** A server that can be started on a port. */
export interface Target {
  readonly label: string;
  readonly ours: boolean;
  /** What it promises of a write that it has acknowledged. */
  readonly keeps: string;
  readonly command: string;
  args(port: number, folder: () => string): string[];
}

export interface RunningTarget {
  readonly target: Target;
  readonly port: number;
  readonly child: ChildProcess;
  readonly pid: number;
}

const readyPatienceMs = 20_000;

export function ownTarget(
  variant: OwnVariant,
  cli = "dist/cli.js",
  nodeArgs: readonly string[] = [],
): Target {
  const store = (folder: () => string): string[] => {
    if (variant === "memory") return ["--in-memory"];
    return ["--data", folder(), "--durability", variant];
  };
  return {
    label: variant === "flush" ? "keywright" : `keywright-${variant}`,
    ours: true,
    keeps: {
      flush: "flushed to disk",
      relaxed: "handed to the operating system",
      memory: "in memory",
    }[variant],
    command: process.execPath,
    args: (port, folder) => [...nodeArgs, cli, "start", "--port", String(port), ...store(folder)],
  };
}

const dynaliteVersion = "4.0.0";
const dynoxideVersion = "1.2.1";

/** Installs the peer if it is not there yet; throws if it cannot be had here. */
export async function peerTarget(name: PeerName, children: Children): Promise<Target> {
  const onDisk = name.endsWith("-disk");
  const keeps = onDisk ? "handed to the operating system" : "in memory";
  if (name.startsWith("dynalite")) {
    const cli = await installed(children, "dynalite", dynaliteVersion, "cli.js");
    return {
      label: name,
      ours: false,
      keeps,
      command: process.execPath,
      args: (port, folder) => [
        cli,
        ...["--host", "127.0.0.1", "--port", String(port), "--createTableMs", "0"],
        ...(onDisk ? ["--path", folder()] : []),
      ],
    };
  }
  const binary = await installed(
    children,
    `@dynoxide/${process.platform}-${process.arch}`,
    dynoxideVersion,
    process.platform === "win32" ? "dynoxide.exe" : "dynoxide",
  );
  return {
    label: name,
    ours: false,
    keeps,
    command: binary,
    args: (port, folder) => [
      ...["serve", "--host", "127.0.0.1", "--port", String(port)],
      ...(onDisk ? ["--db-path", join(folder(), "data.sqlite")] : []),
    ],
  };
}

/** The path of a file in a package, which lies outside the project and stays for the next run. */
async function installed(
  children: Children,
  name: string,
  version: string,
  file: string,
): Promise<string> {
  const prefix = join(tmpdir(), "keywright-bench-peers", `${name.replace("/", "+")}@${version}`);
  const path = join(prefix, "node_modules", name, file);
  if (existsSync(path)) return path;
  await mkdir(prefix, { recursive: true });
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = ["--no-audit", "--no-fund", "--loglevel", "error"];
  await children.run(npm, ["install", "--prefix", prefix, ...quiet, `${name}@${version}`]);
  if (!existsSync(path)) throw new Error(`${name}@${version} has no ${file}`);
  return path;
}

/** Starts the server and waits until its port takes connections. */
export async function launch(children: Children, target: Target): Promise<RunningTarget> {
  const port = await freePort();
  const child = children.start(
    target.command,
    target.args(port, () => children.folder()),
  );
  const deadline = performance.now() + readyPatienceMs;
  while (!(await accepts(port))) {
    const dead = child.exitCode !== null || child.pid === undefined;
    if (dead || performance.now() > deadline) {
      await children.stop(child);
      throw new Error(`${target.label} did not start: ${children.outputOf(child).trim()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return { target, port, child, pid: child.pid as number };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/**
 * The thread in which a function runs. It is JavaScript because a thread is started from a file, and Node
 * 20 starts none from TypeScript; the compiler checks it all the same.
 *
 * It loads the module, tells whether that went well, and then answers one call after the other. What
 * the function prints is sent as it is written, on the way that answers take: so it is read in order,
 * and also from a function that never comes to an end.
 */
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { parentPort, workerData } from "node:worker_threads";

/** @import { Call, FromThread, ThreadStart } from "./function-thread.ts" */
/** @typedef {(error?: unknown, result?: unknown) => void} Callback */

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const { file, exportName } = /** @type {ThreadStart} */ (workerData);

/** @param {FromThread} message */
const send = (message) => port.postMessage(message);

for (const name of /** @type {const} */ (["stdout", "stderr"])) {
  /** @type {(chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => boolean} */
  const write = (chunk, encoding, done) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    send({ kind: "output", text });
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") process.nextTick(callback);
    return true;
  };
  process[name].write = write;
}

/**
 * The error as it is to be read: its stack, and those of its causes.
 * @param {unknown} error
 */
function described(error) {
  const lines = [];
  /** @type {unknown} */
  let cause = error;
  for (let depth = 0; cause !== undefined && depth < 5; depth += 1) {
    const text = cause instanceof Error ? (cause.stack ?? String(cause)) : inspect(cause);
    lines.push(depth === 0 ? text : `Caused by: ${text}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  const type = error instanceof Error ? error.name : typeof error;
  return { type, text: lines.join("\n") };
}

async function load() {
  const loaded = /** @type {Record<string, unknown>} */ (await import(pathToFileURL(file).href));
  const exports = /** @type {Record<string, unknown> | undefined} */ (loaded.default);
  const found = loaded[exportName] ?? exports?.[exportName];
  if (typeof found === "function") return found;
  throw new TypeError(`${file} exports no function named ${exportName}`);
}

/** What to do when nothing is left to do: a callback's answer is given only then. */
/** @type {(() => void) | undefined} */
let whenEmpty;

process.on("beforeExit", () => {
  const finish = whenEmpty;
  whenEmpty = undefined;
  finish?.();
});

/**
 * @param {Function} handler
 * @param {Call} call
 */
function run(handler, { event, deadline, context }) {
  let isOver = false;
  /** @param {FromThread} message */
  const end = (message) => {
    if (isOver) return;
    isOver = true;
    whenEmpty = undefined;
    port.ref();
    send(message);
  };
  /** @param {unknown} error */
  const fail = (error) => end({ kind: "failed", ...described(error) });
  /** @param {unknown} result */
  const succeed = (result) => {
    try {
      end({ kind: "answered", json: JSON.stringify(result) ?? "null" });
    } catch (error) {
      fail(error);
    }
  };
  /** @param {unknown} result */
  const succeedWhenEmpty = (result) => {
    if (isOver) return;
    whenEmpty = () => succeed(result);
    port.unref();
  };
  /** @type {Callback} */
  const done = (error, result) =>
    error === undefined || error === null ? succeed(result) : fail(error);
  const full = {
    ...context,
    callbackWaitsForEmptyEventLoop: true,
    clientContext: undefined,
    identity: undefined,
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done,
    succeed,
    fail: (/** @type {unknown} */ error) => fail(error ?? "handled"),
  };
  /** @type {Callback} */
  const callback = (error, result) => {
    if (error !== undefined && error !== null) fail(error);
    else if (full.callbackWaitsForEmptyEventLoop) succeedWhenEmpty(result);
    else succeed(result);
  };
  try {
    const result = handler(JSON.parse(event), full, callback);
    if (typeof result?.then === "function") result.then(succeed, fail);
    // Without a promise the answer comes by the callback, or there is none.
    else if (whenEmpty === undefined) succeedWhenEmpty(null);
  } catch (error) {
    fail(error);
  }
}

try {
  const handler = await load();
  port.on("message", (/** @type {Call} */ call) => run(handler, call));
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "unusable", ...described(error) });
}

import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * The environment in which the library is loaded. Native code for a format of values is left out, as ours are
 * bytes: 10 ms. And it need not find out which C library there is where only one can be: 5 ms.
 */
export const libraryWish: Readonly<Record<string, string>> = {
  MSGPACKR_NATIVE_ACCELERATION_DISABLED: "true",
  ...(process.platform === "linux" && !hasMusl() && { LIBC: "glibc" }),
};

/** Programs that use musl need its loader in this place. */
function hasMusl(): boolean {
  try {
    return readdirSync("/lib").some((name) => name.startsWith("ld-musl-"));
  } catch {
    return true;
  }
}

/** As a CommonJS module the library is one file instead of ten, which takes 15 ms off every start. */
export function loadLibrary(): typeof import("lmdb") {
  const before: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(libraryWish)) {
    before[name] = process.env[name];
    process.env[name] = value;
  }
  try {
    return createRequire(import.meta.url)("lmdb") as typeof import("lmdb");
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../server/child-support.ts";
import { root } from "./source-files.ts";

// PostgreSQL is started in the process of the runner, and what it hangs there on the end of the
// process has already turned a red run into a green one.

test.concurrent.each([
  ["failing", 1, "1 failed"],
  ["passing", 0, "1 passed"],
])("a run with a %s test ends with %i", { timeout: 180_000 }, async (name, code, said) => {
  const child = run(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      ...["--root", join(root, "test/tidy/failing-run")],
      name,
    ],
    root,
  );
  expect(await child.ended, child.written.out + child.written.err).toBe(code);
  expect(child.written.out).toContain(said);
});

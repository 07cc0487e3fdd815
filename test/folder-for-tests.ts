import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * A folder for the tests of one file, which is gone when they are over. It has to be asked for where the file is
 * loaded, not in a test.
 */
export function folderForTests(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `keywright-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

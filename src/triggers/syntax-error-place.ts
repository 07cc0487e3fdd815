import { execFile } from "node:child_process";

/** Node's own words about the first of the files that it cannot parse: an import does not say where. */
export async function syntaxErrorPlace(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    if (!/\.[cm]?js$/.test(file)) continue;
    const complaint = await check(file);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function check(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--check", file], { timeout: 5_000 }, (error, _, stderr) => {
      const [complaint = ""] = stderr.split(/\n {4}at /);
      resolve(
        error !== null && complaint.includes("SyntaxError") ? complaint.trimEnd() : undefined,
      );
    });
  });
}

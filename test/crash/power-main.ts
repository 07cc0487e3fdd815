/**
 * Looks at the folders that a power cut may have left, in a process of its own because a broken file may
 * end the process that opens it. Says after each what is wrong with it.
 */
import { readFileSync } from "node:fs";
import { plain } from "../../src/api/response-json.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";

export interface Remains {
  readonly folder: string;
  readonly table: string;
  /** The words that acknowledged writes have put into the attribute `word`. */
  readonly words: readonly string[];
}

const caller = { account: "123456789012", region: "eu-west-1" };

async function look({ folder, table, words }: Remains): Promise<readonly string[]> {
  const workbench = await openWorkbench({ data: folder, durability: "relaxed" });
  try {
    const { problems } = await workbench.verify();
    if (words.length === 0) return problems;
    const answer = await workbench.execute("Scan", { TableName: table }, caller);
    const { Items } = plain<{ Items: { word: { S: string } }[] }>(answer);
    const found = new Set(Items.map(({ word }) => word.S));
    return [...problems, ...words.filter((word) => !found.has(word)).map((word) => `no ${word}`)];
  } finally {
    await workbench.close();
  }
}

for (const remains of JSON.parse(readFileSync(process.argv[2] as string, "utf8")) as Remains[]) {
  const problems = await look(remains).catch((error: Error) => [error.message]);
  process.stdout.write(`${JSON.stringify(problems)}\n`);
}

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/index.ts";
import { root, tableBelow } from "../tidy/source-files.ts";

// The snippets of docs/patterns.md are compiled and run, and what they say is compared with what they give.

const run = promisify(execFile);
const page = readFileSync(join(root, "docs/patterns.md"), "utf8");

interface Snippet {
  readonly file: string;
  readonly section: string;
  readonly text: string;
  readonly claims: number;
}

function snippetsOf(text: string): readonly Snippet[] {
  return text.split(/^## /m).flatMap((part) => {
    const section = part.split("\n")[0] ?? "";
    return [...part.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""], i) => ({
      file: `${section.toLowerCase().replaceAll(" ", "-")}-${i}`,
      section,
      text: code,
      claims: code.split("// →").length - 1,
    }));
  });
}

const snippets = snippetsOf(page);
const [, setup = ""] = /^```ts setup\n([\s\S]*?)^```$/m.exec(page) ?? [];

/** A line `expression; // → value` becomes a comparison. */
function withChecks(code: string): string {
  return code.replace(/^(.*);\s*\/\/ → (.*)$/gm, "check($1, ($2));");
}

const prelude = (endpoint: string): string =>
  `${setup.replace("new DynamoDBClient({})", `new DynamoDBClient({ endpoint: "${endpoint}", region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } })`)}
import { deepEqual } from "node:assert/strict";
const plain = (value: unknown): unknown => structuredClone(value);
let checked = 0;
function check(given: unknown, claimed: unknown): void {
  deepEqual(plain(given), plain(claimed));
  checked += 1;
}
void [client, table, check, BatchGetCommand, BatchWriteCommand, GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand];
`;

let folder = "";
let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), "keywright-docs-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { file, text } of snippets) {
    const code = `${prelude(server.url)}\n${withChecks(text)}\nconsole.log("${file}", checked);\n`;
    await writeFile(join(folder, `${file}.ts`), code);
  }
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test("the page lists everything that the entry offers, and nothing else", () => {
  const entry = readFileSync(join(root, "src/patterns.ts"), "utf8");
  const offered = [...entry.matchAll(/export \{([^}]*)\}/g)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type ")),
  );
  const listed = tableBelow(page, "## Everything").flatMap(([names = ""]) =>
    names.split(",").map((name) => name.trim().replaceAll("`", "")),
  );
  expect(listed.toSorted()).toEqual(offered.toSorted());
});

test("the snippets compile", async () => {
  const options = {
    compilerOptions: {
      target: "ES2023",
      lib: ["ES2023"],
      module: "NodeNext",
      strict: true,
      noUnusedLocals: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      allowImportingTsExtensions: true,
      paths: { "keywright/patterns": [join(root, "src/patterns.ts")] },
    },
    files: snippets.map(({ file }) => `${file}.ts`),
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(options));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch(
    (error: { stdout: string }) => expect.unreachable(error.stdout),
  );
});

describe("the snippets give what they say", () => {
  beforeAll(async () => {
    await build({
      absWorkingDir: root,
      entryPoints: snippets.map(({ file }) => join(folder, `${file}.ts`)),
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      alias: { "keywright/patterns": join(root, "src/patterns.ts") },
      external: ["@aws-sdk/*"],
      logLevel: "silent",
    });
    const { DynamoDBClient, CreateTableCommand } = await import("@aws-sdk/client-dynamodb");
    const client = new DynamoDBClient({
      endpoint: server.url,
      region: "us-east-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    });
    const key = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: "HASH" as const },
      { AttributeName: range, KeyType: "RANGE" as const },
    ];
    await client.send(
      new CreateTableCommand({
        TableName: "Shop",
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((AttributeName) => ({
          AttributeName,
          AttributeType: "S" as const,
        })),
        KeySchema: key("pk", "sk"),
        GlobalSecondaryIndexes: [
          {
            IndexName: "gsi1",
            KeySchema: key("gsi1pk", "gsi1sk"),
            Projection: { ProjectionType: "ALL" },
          },
        ],
      }),
    );
    client.destroy();
  });

  test("in one run", async () => {
    const main = snippets.map(({ file }) => `await import("./${file}.mjs");`).join("\n");
    await writeFile(join(folder, "main.mjs"), main);
    const { stdout } = await run(process.execPath, [join(folder, "main.mjs")]);
    expect(stdout).toBe(snippets.map(({ file, claims }) => `${file} ${claims}\n`).join(""));
    expect(snippets.every(({ claims }) => claims > 0)).toBe(true);
  });
});

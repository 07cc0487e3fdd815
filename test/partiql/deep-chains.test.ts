import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expressionBytesMax, statementCharactersMax } from "../../src/api/limits.ts";
import type { DeepRequest, Outcome } from "./deep-chains-main.ts";
import { conditions, projections, type Shape, statements, updates } from "./deep-shapes.ts";

/*
 * The deepest trees that texts of the allowed size can make, on a stack much smaller than the default of
 * 984 KB. The answer may not depend on how much stack is left.
 */

/** What Node keeps in reserve of a thread's stack. */
const reservedKilobytes = 192;
/** For what is bounded by its length alone. */
const stackKilobytes = 128;
/** For what is bounded by a limit on nesting or on operators: there the program may use recursion. */
const nestingStackKilobytes = 400;

const key = { artist: { S: "A" }, song: { S: "1" } };

function textOf(shape: Shape, charactersMax: number): string {
  const { head = "", left = "", middle = "", right = "", tail = "" } = shape;
  const room = charactersMax - head.length - middle.length - tail.length;
  const { times = Math.floor(room / (left.length + right.length)) } = shape;
  const text = head + left.repeat(times) + middle + right.repeat(times) + tail;
  expect(text.length).toBeLessThanOrEqual(charactersMax);
  return text;
}

const TableName = "Music";
const ExpressionAttributeValues = { ":n": { N: "1" } };

interface Kind {
  readonly kind: string;
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly charactersMax: number;
  readonly request: (text: string) => DeepRequest;
}

const kinds: readonly Kind[] = [
  {
    kind: "statement",
    shapes: statements,
    charactersMax: statementCharactersMax,
    request: (Statement) => ({ operation: "ExecuteStatement", input: { Statement } }),
  },
  {
    kind: "ConditionExpression",
    shapes: conditions,
    charactersMax: expressionBytesMax,
    request: (ConditionExpression) => ({
      operation: "DeleteItem",
      input: { TableName, Key: key, ConditionExpression, ExpressionAttributeValues },
    }),
  },
  {
    kind: "FilterExpression",
    shapes: conditions,
    charactersMax: expressionBytesMax,
    request: (FilterExpression) => ({
      operation: "Scan",
      input: { TableName, FilterExpression, ExpressionAttributeValues },
    }),
  },
  {
    kind: "KeyConditionExpression",
    shapes: mapValues(conditions, (shape) => ({ ...shape, answer: "refused" })),
    charactersMax: expressionBytesMax,
    request: (KeyConditionExpression) => ({
      operation: "Query",
      input: { TableName, KeyConditionExpression, ExpressionAttributeValues },
    }),
  },
  {
    kind: "UpdateExpression",
    shapes: updates,
    charactersMax: expressionBytesMax,
    request: (UpdateExpression) => ({
      operation: "UpdateItem",
      input: { TableName, Key: key, UpdateExpression, ExpressionAttributeValues },
    }),
  },
  {
    kind: "ProjectionExpression",
    shapes: projections,
    charactersMax: expressionBytesMax,
    request: (ProjectionExpression) => ({
      operation: "GetItem",
      input: { TableName, Key: key, ProjectionExpression },
    }),
  },
];

function mapValues<One, Other>(
  record: Readonly<Record<string, One>>,
  change: (value: One) => Other,
): Readonly<Record<string, Other>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

const cases = kinds.flatMap(({ kind, shapes, charactersMax, request }) =>
  Object.entries(shapes).map(([name, shape]) => ({
    title: `${kind}: ${name}`,
    answer: shape.answer,
    kilobytes: shape.nests === true ? nestingStackKilobytes : stackKilobytes,
    request: request(textOf(shape, charactersMax)),
  })),
);

const root = fileURLToPath(new URL("../../", import.meta.url));
const script = `${root}node_modules/.cache/deep-chains-${process.pid}.mjs`;
const outcomes = new Map<string, Outcome>();

beforeAll(async () => {
  await mkdir(`${root}node_modules/.cache`, { recursive: true });
  await build({
    entryPoints: [`${root}test/partiql/deep-chains-main.ts`],
    outfile: script,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  for (const stack of [stackKilobytes, nestingStackKilobytes]) {
    const chosen = cases.filter(({ kilobytes }) => kilobytes === stack);
    const answers = await execute(
      chosen.map(({ request }) => request),
      stack,
    );
    for (const [at, { title }] of chosen.entries()) outcomes.set(title, answers[at] ?? "");
  }
});
afterAll(() => rm(script, { force: true }));

function execute(requests: readonly DeepRequest[], kilobytes: number): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, {
      workerData: requests,
      resourceLimits: { stackSizeMb: (kilobytes + reservedKilobytes) / 1_024 },
    });
    worker.on("message", resolve);
    worker.on("error", reject);
  });
}

test.each(cases)("$title is $answer on a stack of $kilobytes KB", ({ title, answer }) => {
  const outcome = outcomes.get(title);
  if (answer === "answered") expect(outcome).toBe("answered");
  else expect(outcome).toMatch(/^ValidationException: /);
});

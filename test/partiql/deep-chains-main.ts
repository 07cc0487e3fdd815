/**
 * Executes requests on a workbench in memory, in a thread with a small stack. It is bundled before, for
 * a thread does not load TypeScript.
 */
import { parentPort, workerData } from "node:worker_threads";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { compileRead } from "../../src/partiql/compile.ts";
import { openStatement } from "../../src/partiql/open-statement.ts";
import { asRequests } from "../../src/partiql/print.ts";
import { translateStatement } from "../../src/partiql/translate.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";
import { music } from "./shapes.ts";

export interface DeepRequest {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** "answered", or the name and message of the error. */
export type Outcome = string;

const caller = { account: "123456789012", region: "eu-west-1" };
const workbench = await openWorkbench();
await workbench.execute(
  "CreateTable",
  {
    TableName: "Music",
    KeySchema: [
      { AttributeName: "artist", KeyType: "HASH" },
      { AttributeName: "song", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "artist", AttributeType: "S" },
      { AttributeName: "song", AttributeType: "S" },
    ],
    BillingMode: "PAY_PER_REQUEST",
  },
  caller,
);

/** Before each request: song 1 is there to be read or changed, song 2 to be inserted. */
async function restore(): Promise<void> {
  const Item = {
    artist: { S: "A" },
    song: { S: "1" },
    a: { N: "1" },
    b: { BOOL: true },
    l: { L: [] },
  };
  await workbench.execute("PutItem", { TableName: "Music", Item }, caller);
  const Key = { artist: { S: "A" }, song: { S: "2" } };
  await workbench.execute("DeleteItem", { TableName: "Music", Key }, caller);
}

async function outcomeOf({ operation, input }: DeepRequest): Promise<Outcome> {
  await restore();
  try {
    await workbench.execute(operation, input, caller);
    if (operation === "ExecuteStatement") print(input.Statement as string);
    return "answered";
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    // The condition was evaluated.
    if (error.type === "ConditionalCheckFailedException") return "answered";
    return `${error.type}: ${error.message}`;
  }
}

/** A SELECT as the requests that it comes to, as `keywright explain` shows them. */
function print(text: string): void {
  const translated = translateStatement(openStatement(text), []);
  if (translated.kind === "select") asRequests(compileRead(translated, music, false));
}

const outcomes: Outcome[] = [];
for (const request of workerData as readonly DeepRequest[]) outcomes.push(await outcomeOf(request));
parentPort?.postMessage(outcomes);

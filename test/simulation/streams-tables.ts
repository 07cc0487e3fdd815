import type { Random } from "../random.ts";
import { requestOf } from "./requests.ts";
import type { TableSpec } from "./steps.ts";
import type { Item, Value } from "./values.ts";

export const viewTypes = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"] as const;
export type ViewType = (typeof viewTypes)[number];

/** One table for each view at first, of all kinds of keys, with and without indexes. */
export const streamTables: readonly (TableSpec & { readonly provisioned?: boolean })[] = [
  { name: "bare", hash: [["pk", "S"]], range: [["sk", "N"]], indexes: [] },
  {
    name: "fresh",
    hash: [["pk", "N"]],
    range: [],
    indexes: [{ name: "byGroup", kind: "global", hash: [["gk", "S"]], range: [["gs", "N"]] }],
  },
  { name: "former", hash: [["pk", "B"]], range: [["sk", "S"]], indexes: [] },
  {
    name: "whole",
    hash: [["pk", "S"]],
    range: [["sk", "S"]],
    indexes: [{ name: "byLocal", kind: "local", hash: [["pk", "S"]], range: [["la", "S"]] }],
    provisioned: true,
  },
];

export const specOf = (name: string): TableSpec =>
  streamTables.find((spec) => spec.name === name) as TableSpec;

export function createBody(name: string, viewType: ViewType): Record<string, unknown> {
  const { provisioned, ...spec } = specOf(name) as (typeof streamTables)[number];
  const { body } = requestOf({ step: "createTable", spec });
  return {
    ...body,
    // One shard; the others have as many as a new on-demand table has partitions.
    ...(provisioned && {
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    }),
    StreamSpecification: { StreamEnabled: true, StreamViewType: viewType },
  };
}

const partitions = 10;
/** Whoever has no number of its own: its keys are everybody's. */
export const everybody = -1;

/** One of a client's keys. Where there is a sort key, clients meet in partitions. */
export function drawOwnKey(random: Random, spec: TableSpec, client: number): Item {
  const own = `${client}/${random.between(0, 1)}`;
  const partition = (random.between(0, client === everybody ? 1 : 3) + 3 * client + 3) % partitions;
  const keys: Record<string, Value> = {};
  const alone = spec.range.length === 0;
  for (const [name, type] of spec.hash) {
    keys[name] = keyValue(type, alone ? `${own}/${partition}` : String(partition));
  }
  for (const [name, type] of spec.range) keys[name] = keyValue(type, own);
  return keys;
}

function keyValue(type: "S" | "N" | "B", text: string): Value {
  if (type === "S") return { S: text };
  if (type === "B") return { B: Buffer.from(text).toString("base64") };
  // Another number for each text, in a notation that the service changes.
  return { N: `${[...text].map((letter) => letter.charCodeAt(0)).join("")}.50` };
}

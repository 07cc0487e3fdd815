import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { convertToAttr, unmarshall } from "@aws-sdk/util-dynamodb";
import { build } from "esbuild";
import type { AttributeValue } from "../../src/item/attribute-value.ts";
import type { Model } from "../../src/model/model.ts";
import { type Inputs, inputsOf } from "../../src/modeller/code/inputs.ts";
import { Names } from "../../src/modeller/code/names.ts";
import { typescriptFiles } from "../../src/modeller/code/typescript.ts";
import type { Facts } from "../../src/modeller/facts.ts";
import type { Plan } from "../../src/modeller/plans/plan.ts";
import type { Given } from "../../src/modeller/requests/given.ts";
import type { EntityValues } from "../../src/modeller/values/render-key.ts";
import { runtimeTexts } from "../../src/workbench/runtime-texts.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Code that was generated, with what it exports. */
export interface Generated {
  readonly folder: string;
  readonly createAccess: (
    client: DynamoDBDocumentClient,
    options?: object,
  ) => Record<string, (input: object, page?: object) => Promise<unknown>>;
  readonly exports: Record<string, unknown>;
}

/** A folder inside the project, so that what is generated finds the SDK. */
export function generatedFolder(): { readonly path: string; readonly remove: () => void } {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const path = mkdtempSync(join(root, "node_modules/.cache/typescript-"));
  writeFileSync(join(path, "package.json"), '{ "type": "module" }');
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function filesOf(model: Model): readonly { readonly path: string; readonly text: string }[] {
  const made = typescriptFiles(model, runtimeTexts());
  if (made === undefined) throw new Error(`${model.name} has no design`);
  return made.files;
}

export function writeFiles(folder: string, model: Model): void {
  for (const { path, text } of filesOf(model)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Writes the code of a model to a folder, builds it and loads it. */
export async function generated(folder: string, model: Model): Promise<Generated> {
  writeFiles(folder, model);
  await build({
    entryPoints: [join(folder, "index.ts")],
    outfile: join(folder, "built.mjs"),
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
  });
  const exports = (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "built.mjs")).href
  )) as Record<string, unknown>;
  return { folder, exports, createAccess: exports.createAccess as Generated["createAccess"] };
}

/** A request as it is on the wire. */
export interface Sent {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

/** A client of the SDK that notes what it sends. */
export function notingClient(url: string, sent: Sent[] = []): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    endpoint: url,
    region: "us-east-1",
    credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
    maxAttempts: 1,
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: string };
      const operation = headers["x-amz-target"]?.split(".")[1] ?? "";
      sent.push({ operation, input: JSON.parse(body) as Record<string, unknown> });
      return next(args);
    },
    { step: "build", priority: "low", name: "notes" },
  );
  return DynamoDBDocumentClient.from(client);
}

/** What the function of a pattern is handed, for what its plan is handed. */
export function inputFor(facts: Facts, plan: Plan, given: Given, names: Names): object {
  const inputs: Inputs = inputsOf(facts, plan.pattern, names);
  const input: Record<string, unknown> = {};
  for (const { name, isList } of inputs.parameters.values()) {
    if (inputs.groups.some(({ of }) => of.includes(name))) continue;
    const values = (given.parameters.get(name) ?? []).map(native);
    input[name] = isList ? values : values[0];
  }
  for (const { name, entity, isList } of inputs.created.values()) {
    const items = given.items(entity.name).map(nativeEntity);
    input[name] = isList ? items : items[0];
  }
  for (const { name, of } of inputs.groups) {
    const lists = of.map((one) => given.parameters.get(one) ?? []);
    input[name] = zipped(lists).map((values) =>
      Object.fromEntries(of.map((one, at) => [one, native(values[at] as AttributeValue)])),
    );
  }
  return input;
}

/** The keys of a batch: the lists are zipped, and a single value belongs to all keys. */
function zipped(
  lists: readonly (readonly AttributeValue[])[],
): readonly (readonly AttributeValue[])[] {
  const several = lists.filter(({ length }) => length > 1);
  const length = Math.min(...(several.length === 0 ? lists : several).map((one) => one.length));
  return Array.from({ length }, (_, row) =>
    lists.flatMap((list) => (list.length === 1 ? list : list[row]) ?? []),
  );
}

export function native(value: AttributeValue): unknown {
  return unmarshall({ value: wire(value) as never }).value;
}

function nativeEntity(values: EntityValues): object {
  return Object.fromEntries([...values].map(([name, value]) => [name, native(value)]));
}

/** Bytes are texts in the engine, and bytes in the SDK. */
function wire(value: AttributeValue): unknown {
  if ("B" in value) return { B: Buffer.from(value.B, "base64") };
  if ("BS" in value) return { BS: value.BS.map((one) => Buffer.from(one, "base64")) };
  if ("L" in value) return { L: value.L.map(wire) };
  if ("M" in value) {
    return {
      M: Object.fromEntries(Object.entries(value.M).map(([name, one]) => [name, wire(one)])),
    };
  }
  return value;
}

/** An answer of generated code as the values of the engine. */
export function entityValues(answer: object): EntityValues {
  return new Map(Object.entries(answer).map(([name, value]) => [name, engineValue(value)]));
}

function engineValue(value: unknown): AttributeValue {
  return engine(convertToAttr(value as never) as unknown as Record<string, unknown>);
}

function engine(value: Record<string, unknown>): AttributeValue {
  const [[type, inner] = ["NULL", true]] = Object.entries(value);
  const base64 = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString("base64");
  if (type === "B") return { B: base64(inner) };
  if (type === "BS") return { BS: (inner as unknown[]).map(base64) };
  if (type === "L") return { L: (inner as Record<string, unknown>[]).map(engine) };
  if (type === "M") {
    return {
      M: Object.fromEntries(
        Object.entries(inner as Record<string, Record<string, unknown>>).map(([name, one]) => [
          name,
          engine(one),
        ]),
      ),
    };
  }
  return value as unknown as AttributeValue;
}

export { Names };

/** The files of the runtime that are imported somewhere. */
export function runtimeNamesIn(
  files: readonly { readonly path: string; readonly text: string }[],
): readonly string[] {
  const names = files.flatMap(({ path, text }) => {
    const within = path.startsWith("runtime/") ? "\\./" : "\\.{1,2}/runtime/";
    const found = text.matchAll(new RegExp(`from "${within}([a-z0-9-]+)\\.js"`, "g"));
    return [...found].map(([, name = ""]) => name);
  });
  return [...new Set(names)].toSorted();
}

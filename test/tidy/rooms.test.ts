import { expect, test } from "vitest";
import { importsOf, read, sourceFiles, tableBelow } from "./source-files.ts";

const roomOf = (path: string): string => path.split("/")[1] ?? "";

const rooms = new Map(
  tableBelow(read("ARCHITECTURE.md"), "## Rooms").map(([room = "", , imports = ""]) => [
    room.replaceAll("`", ""),
    imports
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ]),
);

const files = sourceFiles("src").filter(({ path }) => path.split("/").length > 2);
const product = files.filter(({ path }) => !/\.test(-support)?\.ts$/.test(path));

test("ARCHITECTURE.md lists the rooms that there are", () => {
  expect([...rooms.keys()].toSorted()).toEqual(
    [...new Set(files.map(({ path }) => roomOf(path)))].toSorted(),
  );
});

test("a room imports only what ARCHITECTURE.md allows it", () => {
  const breaches = product.flatMap((file) => {
    const room = roomOf(file.path);
    return importsOf(file)
      .filter((target) => target.startsWith("src/"))
      .map(roomOf)
      .filter((target) => target !== room && !rooms.get(room)?.includes(target))
      .map((target) => `${file.path} imports ${target}; add it to the table or go another way`);
  });
  expect(breaches).toEqual([]);
});

/** What all stores promise, and where they put the entries of logs. */
const storageInterface = ["src/storage/store.ts", "src/storage/log-keys.ts"];

test("only workbench names a storage implementation, and operations see its interface alone", () => {
  const breaches = product.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith("src/storage/") && roomOf(file.path) !== "storage")
      .filter((target) => !storageInterface.includes(target) && roomOf(file.path) !== "workbench")
      .map((target) => `${file.path} imports ${target}`),
  );
  expect(breaches).toEqual([]);
});

const pure = new Set([
  "document",
  "model",
  "modeller",
  "item",
  "expressions",
  "partiql",
  "partitions",
  "capacity",
  "formats",
  "api",
]);
const impurities: readonly (readonly [RegExp, string])[] = [
  [/\bDate\.now\(|new Date\(\)|performance\.now/, "reads a clock"],
  [/Math\.random|randomUUID|randomBytes/, "draws randomness"],
  [/from "node:(fs|net|http|https|os|child_process|worker_threads|dgram)/, "does I/O"],
  [/\bprocess\.(env|argv|cwd|hrtime|pid|on|std)/, "looks at the process"],
];

test("pure rooms stay pure", () => {
  const breaches = product
    .filter(({ path }) => pure.has(roomOf(path)))
    .flatMap(({ path, text }) =>
      impurities.filter(([sign]) => sign.test(text)).map(([, deed]) => `${path} ${deed}`),
    );
  expect(breaches).toEqual([]);
});

test("the oracle of the proof knows entities and the document, and nothing of plans, requests or stored items", () => {
  const folder = "src/modeller/proof/oracle/";
  const allowed = [folder, "src/model/", "src/item/attribute-value.ts"];
  const breaches = product
    .filter(({ path }) => path.startsWith(folder))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => !allowed.some((one) => target.startsWith(one)))
        .map((target) => `${file.path} imports ${target}`),
    );
  expect(breaches).toEqual([]);
});

test("the engine takes its time from a Clock", () => {
  const breaches = product
    .filter(({ path }) => ["engine", "operations"].includes(roomOf(path)))
    .filter(({ text }) => /\bDate\.now\(|new Date\(\)/.test(text))
    .map(({ path }) => path);
  expect(breaches).toEqual([]);
});

test("message texts are in api/errors only", () => {
  const breaches = product
    .filter(({ path }) => !path.startsWith("src/api/errors/"))
    .filter(({ text }) => /\bvalidationError\(|new ServiceError\(/.test(text))
    .map(({ path }) => `${path} makes an error itself; write a factory in src/api/errors`);
  expect(breaches).toEqual([]);
});

test("only server knows HTTP", () => {
  const breaches = product
    .filter(({ path }) => roomOf(path) !== "server")
    .filter(({ text }) => /from "node:(http|https|net)"/.test(text))
    .map(({ path }) => path);
  expect(breaches).toEqual([]);
});

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom, parseModel } from "../../src/model/parse.ts";
import {
  type Infrastructure,
  infrastructureOf,
} from "../../src/modeller/infrastructure/describe.ts";

const folder = fileURLToPath(new URL("../../examples/models/", import.meta.url));

export const examples = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.slice(0, -".yaml".length));

/** The examples, and a model with what they do not have. */
export const cases = [...examples, "rich"];

export function exampleModel(name: string): Model {
  if (name === "rich") return richModel();
  const { model, complaints } = parseModel(readFileSync(`${folder}${name}.yaml`, "utf8"), name);
  if (model === undefined) throw new Error(JSON.stringify(complaints));
  return model;
}

export function described(model: Model): Infrastructure {
  const infrastructure = infrastructureOf(model);
  if (infrastructure === undefined) throw new Error(`${model.name} has no design`);
  return infrastructure;
}

/** Everything that languages read in texts, and what terminals and editors obey. */
export const hostileText = `"q" 'a' \\ \${var.tags} %{if true} $\${x} %%{y} */ // # <!-- </script> {{b}}\n- d: !Ref e\r\t\u2028\u202e\u0000é😀 \${`;

/** A model whose names and texts are all of that kind, as far as a model can hold them. */
export function hostileModel(): Model {
  const attribute = "__proto__";
  const long = `constructor-${"x".repeat(150)}`;
  const document = {
    keywright: 1,
    name: "hostile",
    entities: {
      Thing: {
        id: ["id"],
        count: 10,
        attributes: {
          id: { type: "S", format: "ulid" },
          [attribute]: { type: "S", bytes: 5 },
          count: { type: "N" },
          [long]: { type: "S", bytes: 5 },
        },
      },
    },
    patterns: {
      "toString-1": {
        name: hostileText,
        read: "Thing",
        where: { id: "equals" },
        rps: 1,
        scope: ["id"],
      },
    },
    design: {
      tables: {
        "A-b.c_D": {
          purpose: hostileText,
          key: { PK: "S" },
          entities: { Thing: { key: { PK: `$*?\${{{id}` } } },
          indexes: {
            "in-dex": {
              purpose: hostileText,
              key: { partition: attribute },
              projection: [long],
            },
            "in.dex": { key: { partition: attribute, sort: long }, projection: "keys" },
          },
          stream: "new-image",
          consumers: [
            {
              name: hostileText,
              purpose: hostileText,
              filter: { dynamodb: { [hostileText]: [hostileText] } },
            },
            { name: `${hostileText}!`, filter: { eventName: ["INSERT"] } },
          ],
          encryption: { key: hostileText },
          tags: { [attribute]: hostileText },
        },
        "A.b-c-D": { key: { id: "S" }, entities: {} },
        // As long as a name may be.
        [`-_.${"1".repeat(252)}`]: {
          key: { id: "S" },
          entities: {},
          indexes: {
            ["i".repeat(255)]: { key: { partition: "id" } },
            [`${"i".repeat(254)}j`]: { key: { partition: "id" } },
          },
          dax: { node: "dax.t3.small", nodes: 1 },
          backups: { every: "1s", keep: "1s" },
          stream: "keys-only",
          consumers: [{ name: hostileText.repeat(20), retries: 0 }],
          aggregates: [
            { of: "Thing", into: "Thing.count", by: { schedule: hostileText } },
            { of: "Thing", into: "Thing.count", by: { schedule: "rate(1 minute)" } },
          ],
        },
      },
    },
  };
  const { model, complaints } = modelFrom(document as unknown as ModelDocument);
  if (model === undefined) throw new Error(JSON.stringify(complaints, undefined, 1));
  return model;
}

/** Replicas with fixed and scaled throughput and a key of their own; periods that are run otherwise when they are over. */
function richModel(): Model {
  const scaled = {
    provisioned: {
      read: 20,
      write: 10,
      autoScaling: { read: { min: 5, max: 40, target: 60 }, write: { min: 5, max: 50 } },
    },
  };
  const document = {
    keywright: 1,
    name: "rich",
    entities: {
      Thing: {
        id: ["id", "at"],
        count: 10,
        attributes: {
          id: { type: "S", format: "ulid" },
          at: { type: "S", format: "iso-time" },
          owner: { type: "S", bytes: 5 },
          rank: { type: "N", digits: 3 },
          until: { type: "N", format: "epoch-seconds" },
        },
      },
      Whole: {
        id: ["id"],
        count: 5,
        attributes: {
          id: { type: "S", format: "ulid" },
          things: { type: "N", digits: 3 },
          ranks: { type: "N", digits: 3 },
        },
      },
    },
    patterns: { 1: { name: "one", read: "Thing", where: { id: "equals", at: "equals" }, rps: 1 } },
    design: {
      tables: {
        Spread: {
          billing: scaled,
          key: { id: "S", at: "S" },
          entities: {
            Thing: { key: { id: "{id}", at: "{at}" } },
            Whole: { key: { id: "{id}", at: "WHOLE" } },
          },
          indexes: {
            ByOwner: {
              key: { partition: ["owner", "id"], sort: ["rank", "at"] },
              throughput: { read: 7, write: 3 },
            },
            ByRank: { local: true, key: { sort: "rank" }, projection: ["owner"] },
          },
          ttl: "until",
          stream: "new-and-old-images",
          consumers: [
            {
              name: "follow",
              start: "trim-horizon",
              retries: 3,
              maxAge: "1h",
              bisect: true,
              parallel: 2,
              reportItemFailures: true,
            },
          ],
          encryption: { key: "alias/own" },
          backups: { every: "12h", keep: "36h" },
          dax: { node: "dax.t3.small", nodes: 1, patterns: [1] },
          replicas: ["eu-west-1", "ap-south-1"],
          pitr: { days: 7 },
        },
        Monthly: {
          key: { id: "S", at: "S" },
          entities: {},
          indexes: { ByTime: { key: { partition: "at" }, maximum: { write: 200 } } },
          maximum: { read: 500 },
          stream: "keys-only",
          consumers: [{ name: "follow" }],
          backups: { every: "12h", keep: "36h" },
          dax: { node: "dax.t3.small", nodes: 1 },
          aggregates: [
            { of: "Thing", into: "Whole.things", by: { schedule: "rate(5 minutes)" } },
            { of: "Thing", into: "Whole.ranks", by: { schedule: "cron(0 3 ? * MON *)" } },
          ],
          periods: { every: "month", attribute: "at", keep: 3, older: { billing: scaled } },
        },
      },
    },
  };
  const { model, complaints } = modelFrom(document as unknown as ModelDocument);
  if (model === undefined) throw new Error(JSON.stringify(complaints, undefined, 1));
  return model;
}

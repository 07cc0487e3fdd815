import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";

/** What Markdown, HTML, Mermaid, JSON and terminals read in texts. Each place has a number, so that it is found again. */
export function hostile(place: number): string {
  return `p${place} | # "q" 'a' \\ \\| \`t\` *b* _i_ ~~s~~ <img src=x onerror=alert(1)> <!-- c --> </script> [l](http://e.example) ![i](x) &lt; \${v} $m$ */ %% --> {{b}}\n# h\n- d\r\n1. x\t\u2028\u202e\u0000é😀 www.e.example a@e.example`;
}

/** All free texts that documents repeat, in every place where a model can have one, and how many those are. */
export function hostileDocumentsModel(): { readonly model: Model; readonly places: number } {
  let place = 0;
  const next = (): string => {
    place += 1;
    return hostile(place);
  };
  const long = `n${"x".repeat(200)}`;
  const literal = "a|`*_<b>&\"'\\$";
  const document = {
    keywright: 1,
    name: "hos--tile",
    overview: {
      domain: next(),
      context: [next(), next()],
      compliance: [next()],
      scale: { users: { assumed: 5, why: next() } },
    },
    entities: {
      Thing: {
        description: next(),
        id: ["id"],
        count: 10,
        version: "version",
        attributes: {
          id: { type: "S", format: "ulid" },
          __proto__x: { type: "S", bytes: 5, description: next() },
          [long]: { type: "S", bytes: 5 },
          state: { type: "S", values: { [literal]: 0.5, [`${literal}2`]: 0.5 } },
          mail: { type: "S", bytes: 9, unique: true, personal: true },
          version: { type: "N", digits: 3 },
          part: { type: "S", bytes: 8 },
          copy: { type: "S", bytes: 5, copyOf: `Other.name`, staleness: "refused" },
        },
      },
      Other: {
        id: ["id", "other"],
        count: 20,
        attributes: {
          id: { type: "S", format: "ulid" },
          other: { type: "S", bytes: 4 },
          name: { type: "S", bytes: 5 },
        },
      },
    },
    relations: [
      {
        from: "Thing",
        to: "Other",
        kind: "one-to-many",
        average: { assumed: 2, why: next() },
        max: 9,
        identifying: true,
        together: 0.5,
        description: next(),
      },
    ],
    patterns: {
      one: {
        name: next(),
        story: next(),
        read: "Thing",
        where: { id: "equals" },
        rps: { average: { assumed: 1, why: next() }, peak: 2 },
        scope: ["id"],
        requirements: [next()],
        considerations: [next(), next()],
        status: "solved",
      },
      two: {
        name: next(),
        create: "Thing",
        condition: { state: { equals: literal } },
        writers: 3,
        rps: 1,
      },
      three: {
        name: next(),
        read: "Thing",
        where: { state: { equals: literal } },
        rps: 1,
        status: "alternative",
        alternative: { service: next(), via: next(), why: next() },
      },
      four: {
        name: next(),
        delete: "Other",
        where: { id: "equals", other: "equals" },
        rps: 1,
        status: "declined",
        declined: next(),
      },
    },
    workflows: { flow: { description: next(), steps: ["one", "two"], rps: 1 } },
    design: {
      decisions: [
        {
          about: "design.tables.Things",
          chosen: next(),
          why: next(),
          rejected: [{ what: next(), why: next(), perMonth: 3 }],
        },
      ],
      tables: {
        Things: {
          purpose: next(),
          key: { PK: "S", SK: "S" },
          discriminator: "kind",
          entities: {
            Thing: {
              key: { PK: `${literal}{id}`, SK: literal },
              split: [
                { name: "part", key: { PK: `${literal}{id}`, SK: "part" }, attributes: ["part"] },
              ],
            },
            Other: { key: { PK: `${literal}{id}`, SK: `o${literal}{other}` } },
          },
          indexes: {
            ByState: {
              purpose: next(),
              key: { partition: "X", sort: "Y" },
              projection: ["state"],
              sets: { Thing: { X: `${literal}{state}{shard:3:id}`, Y: `{id}${literal}` } },
              only: { Thing: { state: { equals: literal } } },
            },
          },
          unique: [
            { entity: "Thing", attribute: "mail", key: { PK: `m${literal}{mail}`, SK: "M" } },
          ],
          stream: "new-image",
          consumers: [
            { name: next(), purpose: next(), filter: { dynamodb: { [literal]: [next()] } } },
          ],
          encryption: { key: next() },
          tags: { tag: next() },
        },
      },
      services: [{ name: next(), for: ["three"], via: next(), why: next() }],
      tradeoffs: [next(), next()],
    },
    ignore: [{ rule: "hot-partition", reason: next() }],
  };
  const { model, complaints } = modelFrom(document as unknown as ModelDocument);
  if (model === undefined) throw new Error(JSON.stringify(complaints, undefined, 1));
  return { model, places: place };
}

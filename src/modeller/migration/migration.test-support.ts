import { examples, modelOf } from "../../model/model.test-support.ts";
import { type Migration, type MigrationOptions, migrationOf } from "./migration.ts";

export type Edit = readonly [find: string, put: string];

/** The text of an example with some places changed; each has to be there. */
export function edited(example: string, ...edits: readonly Edit[]): string {
  return edits.reduce((text, [find, put]) => {
    if (!text.includes(find)) throw new Error(`${example} has no '${find}'`);
    return text.replaceAll(find, put);
  }, exampleText(example));
}

export function exampleText(name: string): string {
  const text = examples.find(([file]) => file === `${name}.yaml`)?.[1];
  if (text === undefined) throw new Error(`there is no example ${name}`);
  return text;
}

/** From an example to the same with some places changed. */
export function change(
  example: string,
  edits: readonly Edit[],
  options?: MigrationOptions,
): Migration {
  return migrationOf(modelOf(exampleText(example)), modelOf(edited(example, ...edits)), options);
}

/** The pairs that plans are made and rehearsed for. */
export const shop = {
  addedIndex: [
    [
      "        GSI2:\n          purpose: orders that",
      "        ByProduct: { key: { partition: productId, sort: orderId }, projection: keys }\n        GSI2:\n          purpose: orders that",
    ],
  ],
  padding: [["ITEM#{position|pad:3}", "ITEM#{position|pad:5}"]],
  widerProjection: [
    [
      "projection: [orderId, createdAt, status, total, productId, name, price]",
      "projection: [orderId, createdAt, status, total, note, productId, name, price]",
    ],
  ],
  ownTable: [
    [
      '        Product: { key: { PK: "PRODUCT#{productId}", SK: PRODUCT } }\n      indexes:\n        GSI1:',
      "      indexes:\n        GSI1:",
    ],
    [
      '            Product: { GSI1PK: "CATEGORY#{category|lower}", GSI1SK: "{name|lower}#{productId}" }\n',
      "",
    ],
    [
      "  plans:\n    3:",
      `    Products:
      purpose: what can be bought
      key: { productId: S }
      entities: { Product: { key: { productId: "{productId}" } } }
      indexes:
        ByCategory:
          key: { partition: shelf, sort: title }
          projection: [name, price]
          sets: { Product: { shelf: "{category|lower}", title: "{name|lower}#{productId}" } }
  plans:
    3:`,
    ],
  ],
  droppedAttribute: [
    ["      note: { type: S, bytes: { assumed: 120, why: two sentences }, present: 0.1 }\n", ""],
    [", address, note]", ", address]"],
  ],
  renamedAttribute: [
    ["      note: { type: S, bytes: { assumed", "      remark: { type: S, bytes: { assumed"],
    [", address, note]", ", address, remark]"],
  ],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

export const game = {
  moreShards: [["{seasonId}#{shard:8:playerId}", "{seasonId}#{shard:16:playerId}"]],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

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
  manyTables: [
    [
      '        Customer:\n          key: { PK: "CUSTOMER#{customerId}", SK: PROFILE }\n          split:\n            - name: preferences\n              key: { PK: "CUSTOMER#{customerId}", SK: PREFERENCES }\n              attributes: [preferences]\n',
      "",
    ],
    [
      '      unique:\n        - entity: Customer\n          attribute: email\n          key: { PK: "EMAIL#{email|lower}", SK: EMAIL }\n',
      "",
    ],
    [
      "  plans:\n    3:\n      steps:\n",
      `    Customers:
      purpose: who buys
      key: { customerId: S }
      entities: { Customer: { key: { customerId: "{customerId}" } } }
      unique:
        - { entity: Customer, attribute: email, table: Addresses, key: { address: "{email|lower}" } }
    Addresses:
      purpose: keeps addresses unique
      key: { address: S }
  plans:
    3:
      steps:
        - { operation: GetItem, table: Addresses, key: { address: "{email|lower}" } }
        - { operation: GetItem, table: Customers, key: { customerId: "{customerId}" } }
`,
    ],
    [
      '        - { operation: GetItem, table: Shop, key: { PK: "EMAIL#{email|lower}", SK: EMAIL } }\n',
      "",
    ],
    [
      '        - { operation: GetItem, table: Shop, key: { PK: "CUSTOMER#{customerId}", SK: PROFILE } }\n',
      "",
    ],
    [
      '        - { operation: GetItem, table: Shop, key: { PK: "CUSTOMER#{customerId}", SK: PREFERENCES } }\n',
      "",
    ],
    [
      `    - about: design.tables.Shop.unique
      chosen: an item for each e-mail address
      rejected: [{ what: an index on the address, why: an index does not keep values unique }]
`,
      "",
    ],
  ],
  copy: [
    [
      "      quantity: { type: N, digits: 2, mutable: false }\n",
      "      quantity: { type: N, digits: 2, mutable: false }\n      category: { type: S, bytes: 12, copyOf: Product.category, staleness: accepted }\n",
    ],
    [
      "  search:\n    name: Search",
      `  14:
    name: What is sold of a category
    read: OrderItem
    where: { category: equals }
    order: { orderId: ascending }
    limit: 30
    rps: { average: 1, peak: 5 }
  search:
    name: Search`,
    ],
    [
      "        GSI2:\n          purpose: orders that",
      "        Sold: { purpose: what is sold of a category, key: { partition: category, sort: orderId } }\n        GSI2:\n          purpose: orders that",
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
  oneItem: [
    [
      `          split:
            - name: stats
              key: { playerId: "{playerId}", part: STATS }
              attributes: [matches, wins, playedSeconds]
`,
      "",
    ],
    [
      `    - about: design.tables.Players.entities.Player.split
      chosen: counters in an item of their own
      rejected: [{ what: one item, why: a counter would rewrite 7 KB }]
      why: a write costs by the size of the whole item
`,
      "",
    ],
  ],
  moreShards: [["{seasonId}#{shard:8:playerId}", "{seasonId}#{shard:16:playerId}"]],
} as const satisfies Readonly<Record<string, readonly Edit[]>>;

/** The game without guards for nicks; they come with the example as it is. */
export const unguarded: Edit = [
  '      unique:\n        - { entity: Player, attribute: nick, table: Nicks, key: { nick: "{nick|lower}" } }\n',
  "",
];

/** Members who come, go and change their addresses: what old code deletes while new code is on its way. */
export const club = (table: string): string => `keywright: 1
name: club
entities:
  Member:
    id: [memberId]
    count: 100
    attributes:
      memberId: { type: S, format: ulid }
      mail: { type: S, bytes: { min: 12, max: 20 }, unique: true }
      team: { type: S, values: [red, blue, green] }
      points: { type: N, digits: 3, counter: true }
patterns:
  join: { name: Join, create: Member, condition: absent, rps: { average: 1, peak: 1 } }
  leave: { name: Leave, delete: Member, where: { memberId: equals }, condition: exists, rps: { average: 1, peak: 1 } }
  move: { name: Move, update: Member, where: { memberId: equals }, changes: [mail, team], condition: exists, rps: { average: 1, peak: 1 } }
  score: { name: Score, update: Member, where: { memberId: equals }, adds: { points: 5 }, condition: exists, rps: { average: 1, peak: 1 } }
  one: { name: A member, read: Member, where: { memberId: equals }, rps: { average: 1, peak: 1 } }
  team: { name: A team, read: Member, where: { team: equals }, order: { memberId: ascending }, limit: all, rps: { average: 1, peak: 1 } }
design:
  tables:
${table}`;

export const oldClub = club(`    Members:
      key: { PK: S }
      entities: { Member: { key: { PK: "M#{memberId}" } } }
      indexes: { Teams: { key: { partition: team, sort: memberId } } }
      unique: [{ entity: Member, attribute: mail, key: { PK: "MAIL#{mail|lower}" } }]
`);

export const newClub = club(`    People:
      key: { kind: S, name: S }
      entities: { Member: { key: { kind: MEMBER, name: "{memberId}" } } }
      indexes: { Teams: { key: { partition: side, sort: name }, sets: { Member: { side: "T#{team|upper}" } } } }
      unique: [{ entity: Member, attribute: mail, key: { kind: MAIL, name: "{mail|lower}" } }]
`);

import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "embedding",
  summary:
    "Children that are few, small and always wanted with their parent lie inside its item, as a list or map.",
  when: [
    "Both are wanted together at least 80 % of the time.",
    "Together they stay small, well below 50 KB, and the number has a bound.",
    "They change at similar rates, or hardly at all.",
  ],
  how: [
    "One attribute holds a list of maps, or a map by id, whose elements can be changed one at a time: `SET contents.#id.quantity = :q`. One read, one write, atomic without a transaction.",
  ],
  pitfalls: [
    "A list without a bound ends at 400 KB, and long before that each change costs the whole item.",
    "Elements cannot be found by value, indexed, or paged.",
    "Two writers who change different elements need conditions, or maps instead of whole lists.",
    "Wanted together at most 20 % of the time: every read of one pays for the other.",
  ],
  example: {
    model: `
keywright: 1
name: carts
overview: { domain: e-commerce, scale: { users: 200_000 } }
entities:
  Cart:
    id: [userId]
    count: 200_000
    attributes:
      userId: { type: S, format: ulid }
      changedAt: { type: S, format: iso-time }
  Line:
    id: [userId, sku]
    count: 800_000
    attributes:
      userId: { type: S, format: ulid }
      sku: { type: S, bytes: 10 }
      quantity: { type: N, digits: 2 }
relations:
  - from: Cart
    to: Line
    kind: one-to-many
    average: 4
    max: 50
    identifying: true
    together: 0.98
patterns:
  cart:
    name: A cart with its lines
    read: Cart
    where: { userId: equals }
    together: [{ entity: Line, limit: all }]
    rps: { average: 80, peak: 500 }
  open: { name: Begin a cart, create: Cart, condition: absent, rps: { average: 5, peak: 60 } }
  add: { name: Add a line, create: Line, rps: { average: 20, peak: 200 } }
design:
  decisions:
    - about: design.tables.Carts.entities.Cart.embeds
      chosen: lines inside of the cart
      why: they are always wanted together, and fifty at most
  tables:
    Carts:
      purpose: carts with what is in them
      key: { userId: S }
      entities:
        Cart: { key: { userId: "{userId}" }, embeds: [{ entity: Line, as: contents }] }
`,
    requests: [
      {
        pattern: "cart",
        operation: "GetItem",
        input: { TableName: "Carts", Key: { userId: { S: "01J9" } } },
      },
    ],
  },
  see: {
    topics: ["denormalisation", "item-size", "vertical-split", "one-to-many"],
    examples: ["marketplace"],
    rules: [
      "embedded-without-host",
      "embedded-unbounded",
      "embedded-but-apart",
      "together-but-apart",
      "unbounded-list",
      "item-near-limit",
    ],
  },
};

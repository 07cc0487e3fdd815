import { testRule } from "../lint.test-support.ts";
import { keyDoesNotIdentify } from "./key-does-not-identify.ts";

const line = 'Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }';
const order = 'Order: { key: { owner: "O#{orderId}", part: "#ORDER" } }';
const session = 'Session: { key: { sessionId: "{sessionId}" } }';

testRule(keyDoesNotIdentify, {
  "a part of the id is missing": {
    bad: [[line, 'Line: { key: { owner: "O#{orderId}", part: "LINE#{price|pad:6}" } }']],
    at: ["design.tables.Shop.entities.Line.key"],
    line: "{price|pad:6}",
    says: ["lacks position, so two Line can have the same key", "the key has orderId and price"],
    good: {
      "the id behind a score": [
        [
          line,
          'Line: { key: { owner: "O#{orderId}", part: "LINE#{price|pad:6}#{position|pad:3}" } }',
        ],
      ],
      "an index need not identify": [
        [
          "key: { partition: customerId, sort: orderId }",
          "key: { partition: customerId, sort: placedAt }",
        ],
      ],
      "two indexes with keys of one shape": [
        [
          "      indexes:\n",
          "      indexes:\n        ByAmount:\n          key: { partition: customerId, sort: amount }\n        ByState:\n          key: { partition: orderId, sort: amount }\n",
        ],
      ],
      "the newest version has no number": [
        [
          "      pitr: true\n      deletionProtection: true\n    Sessions",
          '      versioning: { entity: Line, attribute: position, latest: copy, key: { owner: "O#{orderId}", part: LATEST } }\n      pitr: true\n    Sessions',
        ],
      ],
      "a unique attribute beside another one": [
        [
          'Customer: { key: { owner: "C#{customerId}"',
          'Customer: { key: { owner: "C#{mail|lower}#{tier}"',
        ],
      ],
      "a unique attribute instead of the id": [
        [
          'Customer: { key: { owner: "C#{customerId}"',
          'Customer: { key: { owner: "C#{mail|lower}"',
        ],
      ],
    },
  },
  "all newest versions under one key": {
    bad: [
      [
        "      pitr: true\n      deletionProtection: true\n    Sessions",
        "      versioning: { entity: Line, attribute: position, latest: copy, key: { owner: LATEST, part: LINE } }\n      pitr: true\n    Sessions",
      ],
    ],
    at: ["design.tables.Shop.versioning.key"],
    line: "versioning:",
    says: ["The key of the newest Line in Shop lacks orderId", "the key has none of it"],
  },
  "a part of the id is cut off": {
    bad: [
      ["id: [orderId, position]", "id: [orderId, at]"],
      ["position: { type: N, digits: 3 }", "at: { type: S, format: iso-time }"],
      ["position: ascending", "at: ascending"],
      ["LINE#{position|pad:3}", "LINE#{at|day}"],
    ],
    at: ["design.tables.Shop.entities.Line.key"],
    line: "LINE#{at|day}",
    says: ["lacks at", "and of at only a part"],
  },
  "a guard without its value": {
    bad: [
      [
        'key: { owner: "MAIL#{mail|lower}", part: MAIL } }]',
        'key: { owner: "MAIL#{fullName}", part: MAIL } }]',
      ],
    ],
    at: ["design.tables.Shop.unique[0].key"],
    line: "unique",
    says: ["lacks mail, so two values can have the same key", "the key has fullName"],
  },
  "two kinds of items under one key": {
    bad: [
      [
        line,
        'Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" }, split: [{ name: extra, key: { owner: "O#{orderId}", part: "#ORDER" }, attributes: [product] }] }',
      ],
    ],
    at: [
      "design.tables.Shop.entities.Line.split[0].key",
      "design.tables.Shop.entities.Line.split[0].key",
    ],
    line: "split",
    says: ["lacks position"],
  },
  "a random shard under a condition": {
    bad: [[order, 'Order: { key: { owner: "O#{orderId}", part: "#ORDER#{shard:8}" } }']],
    at: ["design.tables.Shop.entities.Order.key"],
    line: "{shard:8}",
    says: ["has a random shard", "looks at one of 8 places"],
    good: {
      "a shard that is calculated": [
        [order, 'Order: { key: { owner: "O#{orderId}", part: "#ORDER#{shard:8:orderId}" } }'],
      ],
      "a random shard without a condition": [
        [session, 'Session: { key: { sessionId: "{sessionId}" } }'],
        ["create: Order, condition: absent", "create: Order"],
        [order, 'Order: { key: { owner: "O#{orderId}", part: "#ORDER#{shard:8}" } }'],
      ],
    },
  },
  "keys that are made alike": {
    bad: [
      [line, 'Line: { key: { owner: "O#{orderId}", part: "C#{position|pad:3}" } }'],
      [
        'unique: [{ entity: Customer, attribute: mail, key: { owner: "MAIL#{mail|lower}", part: MAIL } }]',
        'unique: [{ entity: Customer, attribute: mail, key: { owner: "O#{mail|lower}", part: "#ORDER" } }]',
      ],
    ],
    at: ["design.tables.Shop.unique[0].key"],
    line: "unique",
    says: ["can be the same as the key of Order in Shop"],
  },
});

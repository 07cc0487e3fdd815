import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { modelOf } from "../../model/model.test-support.ts";
import type { Entity } from "../../model/requirements.ts";
import { type Instance, itemsOf } from "./item-of.ts";

const model = modelOf(`keywright: 1
name: m
entities:
  Order:
    id: [orderId]
    count: 1
    attributes:
      orderId: { type: S, bytes: 2 }
      email: { type: S, bytes: 9, unique: true }
      status: { type: S, values: [open, closed] }
      total: { type: N, digits: 3 }
      rank: { type: N, digits: 2, present: 0.5 }
      blob: { type: S, bytes: 4, present: 0.5 }
      photo: { type: B, bytes: 3 }
      at: { type: S, format: iso-time }
  Line:
    id: [orderId, line]
    count: 2
    attributes: { orderId: { type: S, bytes: 2 }, line: { type: N, digits: 1 }, sku: { type: S, bytes: 3 } }
  Page:
    id: [pageId, version]
    count: 2
    attributes: { pageId: { type: S, bytes: 2 }, version: { type: N, digits: 1 }, text: { type: S, bytes: 3 } }
relations: [{ from: Order, to: Line, kind: one-to-many, average: 2, identifying: true }]
patterns: {}
design:
  tables:
    Orders:
      key: { orderId: S, part: S }
      discriminator: kind
      entities:
        Order:
          key: { orderId: "{orderId}", part: ORDER }
          names: { total: t }
          split: [{ name: blob, key: { orderId: "{orderId}", part: BLOB }, attributes: [blob] }]
          elsewhere: [{ attribute: photo, service: S3 }]
          embeds: [{ entity: Line, as: lines }]
      indexes:
        Open:
          key: { partition: open, sort: t2 }
          sets: { Order: { open: "{status}#{shard:4}", t2: "{total|pad:5}" } }
          only: { Order: { status: { equals: open } } }
        Ranked: { key: { partition: ranked }, sets: { Order: { ranked: "R{rank}" } }, projection: keys }
      unique: [{ entity: Order, attribute: email, table: Mails, key: { mail: "{email|lower}" } }]
    Mails: { key: { mail: S }, discriminator: what }
    Pages:
      key: { pageId: S, v: S }
      entities: { Page: { key: { pageId: "{pageId}", v: "V{version}" } } }
      indexes:
        Texts: { key: { partition: byText }, sets: { Page: { byText: "{text}" } } }
      versioning: { entity: Page, attribute: version, latest: copy, key: { pageId: "{pageId}", v: LATEST } }
    Log:
      key: { orderId: S, at: S }
      entities: { Order: { key: { orderId: "{orderId}", at: "{at}" }, stores: [total] } }
      periods: { every: month, attribute: at }
`);
const writing = { shard: () => 2, now: 0 };
const order: Readonly<Record<string, AttributeValue>> = {
  orderId: { S: "o1" },
  email: { S: "A@b.CO" },
  status: { S: "open" },
  total: { N: "120" },
  rank: { N: "7" },
  blob: { S: "blob" },
  photo: { B: "AAAA" },
  at: { S: "2026-11-16T09:00:00.000Z" },
};
const stored = (
  entity: string,
  values: Readonly<Record<string, AttributeValue>>,
  more: Partial<Instance> = {},
) =>
  itemsOf(
    model,
    model.entities.get(entity) as Entity,
    { values: new Map(Object.entries(values)), ...more },
    writing,
  ).map((one) => ({ ...one, item: { ...one.item } }));

describe("what is stored for an entity", () => {
  test("its item, its parts, what guards its values, and what other tables keep of it", () => {
    const line = (number: string): Instance["values"] =>
      new Map<string, AttributeValue>([
        ["orderId", { S: "o1" }],
        ["line", { N: number }],
        ["sku", { S: "abc" }],
      ]);
    const embedded = (name: string) => (name === "Line" ? [line("1"), line("2")] : []);
    expect(stored("Order", order, { embedded })).toEqual([
      {
        table: "Orders",
        period: undefined,
        entity: "Order",
        kind: "main",
        item: {
          orderId: { S: "o1" },
          part: { S: "ORDER" },
          kind: { S: "Order" },
          open: { S: "open#2" },
          t2: { S: "00120" },
          ranked: { S: "R7" },
          email: { S: "A@b.CO" },
          status: { S: "open" },
          t: { N: "120" },
          rank: { N: "7" },
          at: { S: "2026-11-16T09:00:00.000Z" },
          lines: {
            L: [
              { M: { line: { N: "1" }, sku: { S: "abc" } } },
              { M: { line: { N: "2" }, sku: { S: "abc" } } },
            ],
          },
        },
      },
      {
        table: "Orders",
        period: undefined,
        entity: "Order",
        kind: "split",
        item: {
          orderId: { S: "o1" },
          part: { S: "BLOB" },
          kind: { S: "Order" },
          blob: { S: "blob" },
        },
      },
      {
        table: "Mails",
        period: undefined,
        entity: "Order",
        kind: "unique",
        item: { mail: { S: "a@b.co" }, what: { S: "Order.email" }, orderId: { S: "o1" } },
      },
      {
        table: "Log",
        period: "2026-11",
        entity: "Order",
        kind: "main",
        item: { orderId: { S: "o1" }, at: { S: "2026-11-16T09:00:00.000Z" }, total: { N: "120" } },
      },
    ]);
  });

  test("without attributes that need not be there: no part, no key of an index", () => {
    const { rank, blob, ...rest } = order;
    const items = stored("Order", { ...rest, status: { S: "closed" } });
    expect(items.map(({ kind, table }) => `${table} ${kind}`)).toEqual([
      "Orders main",
      "Mails unique",
      "Log main",
    ]);
    expect(Object.keys(items[0]?.item ?? {})).toEqual([
      ..."orderId part kind email status t at lines".split(" "),
    ]);
    expect(items[0]?.item.lines).toEqual({ L: [] });
  });

  test("a copy of the newest version, which is in no index that is made for versions", () => {
    const page = { pageId: { S: "p1" }, version: { N: "3" }, text: { S: "abc" } };
    expect(stored("Page", page).map(({ item }) => item.v)).toEqual([{ S: "V3" }]);
    const items = stored("Page", page, { latest: true });
    expect(items.map(({ kind }) => kind)).toEqual(["main", "latest"]);
    expect(items[0]?.item).toEqual({ ...page, v: { S: "V3" }, byText: { S: "abc" } });
    expect(items[1]?.item).toEqual({ ...page, v: { S: "LATEST" } });
  });
});

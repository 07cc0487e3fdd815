import { describe, expect, test } from "vitest";
import type { DesignDocument } from "../../src/model/document-design.ts";
import { carriedOver } from "../../src/modeller/designer/carried.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import {
  designModel,
  isFailing,
  type ModelDesign,
  modelDesignOutput,
} from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);

/** A running system: orders lie under their customer, and there is an index that nobody asked for lately. */
const running = `keywright: 1
name: orders
entities:
  Order:
    id: [orderId]
    count: 5_000_000
    attributes:
      orderId: { type: S, format: ulid }
      customerId: { type: S, format: ulid, distinct: 1_000_000, mutable: false }
      createdAt: { type: S, format: iso-time, mutable: false }
      total: { type: N, digits: 7, mutable: false }
patterns:
  1: { name: An order, read: Order, where: { orderId: equals }, rps: 200 }
  2: { name: Place, create: Order, condition: absent, rps: 15 }
  3:
    name: Orders of a customer
    read: Order
    where: { customerId: equals }
    order: { createdAt: descending }
    limit: 20
    rps: 300
design:
  style: generic
  services: [{ name: OpenSearch, for: [3], via: stream }]
  tables:
    Shop:
      purpose: orders
      billing: { provisioned: { read: 500, write: 100 } }
      key: { PK: S }
      entities: { Order: { key: { PK: "ORDER#{orderId}" } } }
      indexes:
        ByTotal:
          key: { partition: total }
          projection: keys
          throughput: { read: 5, write: 100 }
      pitr: true
`;

async function keeping(keep: string): Promise<ModelDesign> {
  return designModel(running, "orders.yaml", { now, keep });
}

describe("what is kept", { timeout: 60_000 }, () => {
  test("leaves its name to nobody else", async () => {
    const more = running
      .replace(
        "patterns:",
        "  Shelf: { id: [shelfId], count: 10, attributes: { shelfId: { type: S, format: ulid } } }\npatterns:",
      )
      .replace("    Shop:\n", "    Shelfs:\n");
    expect((await designModel(more, "orders.yaml", { now, keep: "all" })).refused).toEqual([
      expect.stringContaining("Shelfs stays as it is, and a new table would be called the same."),
    ]);
  });

  test("is in the new design as it was, with what is missing beside it", async () => {
    const design = await keeping("all");
    expect(isFailing(design)).toBe(false);
    const { Shop, ...others } = design.designed?.design.tables ?? {};
    expect(others).toEqual({});
    expect(Shop).toMatchObject({
      billing: { provisioned: { read: 500, write: 100 } },
      key: { PK: "S" },
      entities: { Order: { key: { PK: "ORDER#{orderId}" } } },
      indexes: {
        ByTotal: { key: { partition: "total" }, throughput: { read: 5, write: 100 } },
        OrdersByCustomer: { key: { partition: "customerId", sort: "createdAt" } },
      },
    });
    expect(design.designed?.design.services).toEqual([
      { name: "OpenSearch", for: [3], via: "stream" },
    ]);
    expect(design.old?.keeping).toBeGreaterThan(0);
    const text = modelDesignOutput(design, "text");
    expect(text).toContain("To keep what had to stay costs $");
    expect(text).toContain("Make the index Shop.OrdersByCustomer");
    expect(text).not.toContain("Make the index Shop.ByTotal");
  });

  test("may be a table without its indexes", async () => {
    const { designed } = await keeping("Shop");
    expect(Object.keys(designed?.design.tables.Shop?.indexes ?? {})).toEqual(["OrdersByCustomer"]);
    const both = await keeping("Shop, Shop.ByTotal");
    const names = Object.keys(both.designed?.design.tables.Shop?.indexes ?? {});
    expect(names).toEqual(["ByTotal", "OrdersByCustomer"]);
  });

  test("costs what the bill says", async () => {
    const onDemand = running
      .replace("billing: { provisioned: { read: 500, write: 100 } }", "billing: on-demand")
      .replace("          throughput: { read: 5, write: 100 }\n", "")
      .replace("      pitr: true\n", "");
    const design = await designModel(onDemand, "orders.yaml", { now, keep: "all" });
    const { report } = costModel(design.text ?? "", "orders.yaml");
    expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  });

  test("has to be there", async () => {
    expect((await keeping("Shp")).refused).toEqual([
      "The design has no table or index 'Shp'. Did you mean 'Shop'?",
    ]);
  });
});

test("how a table is paid for is chosen afterwards, and the difference is told", {
  timeout: 60_000,
}, async () => {
  const even = running
    .slice(0, running.indexOf("design:"))
    .replaceAll(/rps: (\d+)/g, "rps: { average: $1, peak: $1 }");
  const plain = await designModel(even, "orders.yaml", { now });
  const paid = await designModel(even, "orders.yaml", { now, billing: true });
  const table = paid.designed?.design.tables.Orders;
  expect(table?.billing).toMatchObject({ provisioned: { autoScaling: { read: { target: 70 } } } });
  const decision = paid.designed?.design.decisions?.at(-1);
  expect(decision?.about).toBe("design.tables.Orders.billing");
  const [{ perMonth = 0 } = {}] = decision?.rejected ?? [];
  const { report } = costModel(paid.text ?? "", "orders.yaml");
  const before = plain.designed?.total ?? 0;
  expect(report?.total.average).toBeCloseTo(before - perMonth, 1);
  expect(paid.designed?.total).toBeCloseTo(report?.total.average ?? 0, 2);
});

test("how a table is run is taken over to where its entities lie now; what hangs on old keys is told", () => {
  const old: DesignDocument = {
    tables: {
      Shop: {
        key: { PK: "S" },
        entities: {
          Order: { key: { PK: "{orderId}" }, names: { total: "t", buyerId: "b", orderId: "o" } },
          Item: { key: { PK: "{itemId}" } },
        },
        pitr: true,
        ttl: { attribute: "expiresAt", entities: ["Item"] },
        tags: { team: "shop" },
        dax: { node: "dax.r5.large", nodes: 3 },
      },
    },
    plans: { 1: { steps: [] } },
    tradeoffs: ["none"],
  };
  const next: DesignDocument = {
    tables: {
      Orders: {
        key: { orderId: "S" },
        entities: { Order: { key: { orderId: "{orderId}" } } },
        indexes: { ByBuyer: { key: { partition: "buyerId" } } },
        tags: { team: "new" },
      },
      Items: { key: { itemId: "S" }, entities: { Item: { key: { itemId: "{itemId}" } } } },
    },
  };
  const { design, lost } = carriedOver(old, next);
  expect(design.tables.Orders).toMatchObject({ pitr: true, tags: { team: "new" } });
  expect(design.tables.Orders).not.toHaveProperty("ttl");
  expect(design.tables.Orders?.entities?.Order?.names).toEqual({ total: "t" });
  expect(design.tables.Items?.entities?.Item).not.toHaveProperty("names");
  expect(design.tables.Items).toMatchObject({
    pitr: true,
    ttl: { attribute: "expiresAt", entities: ["Item"] },
  });
  expect(design.tradeoffs).toEqual(["none"]);
  expect(lost).toEqual(["dax of Shop", "plans that were written down (1)"]);
});

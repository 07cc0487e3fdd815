import { expect, test } from "vitest";
import { ManualClock } from "../base/clock.ts";
import type { IndexDescriptor, TableDescriptor } from "../engine/descriptor.ts";
import { spaceStart } from "../partitions/position.ts";
import { Enforcement } from "./enforcement.ts";

function index(id: number, write: number): IndexDescriptor {
  const throughput = { read: 1, write, decreasesToday: 0 };
  const key = { hash: [{ name: "colour", type: "S" as const }], range: [] };
  const projection = { type: "ALL" as const, attributes: [] };
  return { name: "colour", id, kind: "global", key, projection, ready: true, throughput };
}

function table(version: number, write: number, ...indexes: IndexDescriptor[]): TableDescriptor {
  return {
    namespace: "1/here",
    name: "T",
    id: 1,
    version,
    uuid: "",
    createdAt: 0,
    key: { hash: [{ name: "pk", type: "S" }], range: [] },
    indexes,
    billingMode: "PROVISIONED",
    throughput: { read: 1, write, decreasesToday: 0 },
    deletionProtection: false,
  };
}

const one = (name?: string) => [{ index: name, position: spaceStart, units: 1 }];

test("a table is kept by its id, whatever its description", () => {
  const enforcement = new Enforcement(new ManualClock(), 1);
  expect(enforcement.admit(table(1, 1), "write", one())).toBeUndefined();
  expect(enforcement.admit(table(1, 1), "write", one())?.limit).toBe(
    "ProvisionedThroughputExceeded",
  );
  expect(enforcement.admit({ ...table(1, 1), id: 2 }, "write", one())).toBeUndefined();
});

test("an older description does not undo a newer one", () => {
  const enforcement = new Enforcement(new ManualClock(), 1);
  enforcement.admit(table(1, 1), "write", one());
  enforcement.follow(table(2, 9));
  enforcement.follow(table(1, 1));
  expect(enforcement.admit(table(1, 1), "write", one())).toBeUndefined();
  expect(enforcement.throughput(1)?.table.available.write).toBe(9);
});

test("an index that is gone is forgotten, and one of its name begins anew", () => {
  const enforcement = new Enforcement(new ManualClock(), 1);
  const first = table(1, 99, index(7, 1));
  enforcement.admit(first, "write", one("colour"));
  expect(enforcement.admit(first, "write", one("colour"))?.index).toBe("colour");
  enforcement.follow(table(2, 99));
  expect(enforcement.throughput(1)?.indexes.size).toBe(0);
  const again = table(3, 99, index(8, 1));
  expect(enforcement.admit(again, "write", one("colour"))).toBeUndefined();
  // Between two requests it may also have gone and come back.
  const third = table(5, 99, index(9, 1));
  expect(enforcement.admit(third, "write", one("colour"))).toBeUndefined();
});

test("a change of something else leaves throughput alone", () => {
  const enforcement = new Enforcement(new ManualClock(), 1);
  enforcement.admit(table(1, 2), "write", one());
  enforcement.follow({ ...table(2, 2), deletionProtection: true });
  expect(enforcement.throughput(1)?.timeline.events).toEqual([]);
});

test("a clock that is set back does no harm", () => {
  let now = 10_000;
  const enforcement = new Enforcement({ now: () => now }, 1);
  expect(enforcement.admit(table(1, 1), "write", one())).toBeUndefined();
  now = 5_000;
  expect(enforcement.admit(table(1, 1), "write", one())?.direction).toBe("write");
  now = 11_000;
  expect(enforcement.admit(table(1, 1), "write", one())).toBeUndefined();
});

test("tables are not kept without end", () => {
  const enforcement = new Enforcement(new ManualClock(), 1);
  for (let id = 1; id <= 2_600; id += 1) {
    enforcement.admit({ ...table(1, 1), id }, "write", one());
  }
  expect([...enforcement.tableIds].length).toBe(2_500);
  expect(enforcement.throughput(1)).toBeUndefined();
  expect(enforcement.throughput(2_600)).toBeDefined();
  enforcement.forget(2_600);
  expect(enforcement.throughput(2_600)).toBeUndefined();
});

test("a table that shrinks without cost has smaller partitions, and all of its units", () => {
  const enforcement = new Enforcement(new ManualClock(), 1);
  const described = table(1, 1, index(7, 1));
  const bytesOf = (name?: string) =>
    enforcement
      .throughput(1)
      ?.resource(name)
      ?.partitions.all.reduce((sum, { state }) => sum + state.bytes, 0);
  const grow = (name: string | undefined, units: number, bytes: number) => ({
    ...{ index: name, position: spaceStart, units, bytes },
  });
  enforcement.resize(described, [grow(undefined, 1, 5)]);
  expect(enforcement.throughput(1)).toBeUndefined();
  enforcement.admit(described, "write", [grow(undefined, 0, 100), grow("colour", 0, 50)]);
  enforcement.resize(described, [grow(undefined, 9, -60), grow("colour", 9, -60)]);
  expect([bytesOf(), bytesOf("colour")]).toEqual([40, 0]);
  expect(enforcement.admit(described, "write", one())).toBeUndefined();
  expect(enforcement.admit(described, "write", one())).toBeDefined();
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseModel } from "../../model/parse.ts";
import { Facts } from "../facts.ts";
import { estimateRun } from "../units/estimate.ts";
import { structureName } from "./plan.ts";
import { plansOf } from "./planner.ts";

/** Each pattern as one line: what is asked of which table or index, and the units that it takes. */
function planned(name: string): Readonly<Record<string, string>> {
  const file = `examples/models/${name}.yaml`;
  const { model } = parseModel(readFileSync(file, "utf8"), file);
  if (model === undefined) throw new Error(`${file} cannot be read`);
  const facts = new Facts(model);
  const lines = [...plansOf(facts)].map(([id, { requests, problem }]) => {
    const steps = requests.map((request) => {
      if (request.kind === "write") {
        const actions = request.actions.map(({ kind, record }) => `${kind} ${record.name}`);
        return `${request.operation} ${actions.join(", ")}`;
      }
      const { operation, table, index, times } = request;
      const often = times.map(({ text }) => ` × ${text}`).join("");
      return `${operation} ${structureName(table, index)}${often}`;
    });
    const { read, write } = estimateRun(facts, requests);
    const units = `${Number(read.toFixed(2))} r, ${Number(write.toFixed(2))} w`;
    return [id, problem ?? `${steps.join("; ")}: ${units}`];
  });
  return Object.fromEntries(lines) as Record<string, string>;
}

test("the patterns of the online shop", () => {
  expect(planned("online-shop")).toMatchObject({
    // 0.5 for the profile; for the preferences 0.5 if they are there in a page, 1 more step in a tenth of them.
    1: "GetItem Shop; GetItem Shop: 1.02 r, 0 w",
    3: "GetItem Shop; GetItem Shop × each result; GetItem Shop × each result: 1.52 r, 0 w",
    4: "Query Shop.GSI1: 0.5 r, 0 w",
    5: "Query Shop: 0.5 r, 0 w",
    7: "Query Shop.GSI2 × 4 shards: 11.5 r, 0 w",
    9: "Query Shop.GSI1: 1.5 r, 0 w",
    10: "GetItem Shop: 0.5 r, 0 w",
    // Each item pays twice: order 1, three lines, three products of 3 units, customer; and the order's entries.
    6: "TransactWriteItems put Order, put OrderItem, update Product, update Customer: 0 r, 29.05 w",
    // The table, the entry in GSI1, and the entry in GSI2 that leaves (0.05) and comes (0.05).
    // It is read first: the key of an entry that comes needs the time of the order.
    8: "GetItem Shop; UpdateItem update Order: 1 r, 2.1 w",
    search: "OpenSearch serves it",
  });
});

test("the patterns of the devices", () => {
  expect(planned("device-readings")).toMatchObject({
    record: "BatchWriteItem put Reading: 0 r, 50 w",
    latest: "Query Readings: 0.5 r, 0 w",
    waiting: "Query Devices.WaitingAlarms: 0.61 r, 0 w",
    // What was looked up tells the key; the place of the alarm, which the key of an entry needs, is read.
    close:
      "Query Devices.AlarmsById; GetItem Devices × each result; UpdateItem update Alarm: 1.5 r, 1.29 w",
    forget: "it is declined",
  });
});

test("the patterns of the social network", () => {
  expect(planned("social-network")).toMatchObject({
    2: "TransactWriteItems put Person, put Person.handle: 0 r, 5 w",
    3: "Query People: 2.5 r, 0 w",
    4: "Query People.Followers: 1.5 r, 0 w",
    8: "Query Posts.PostsByAuthor: 1.41 r, 0 w",
    11: "Query Posts.PostsByDay × 24 shards: 17130 r, 0 w",
    // The shard is calculated from the person, so it is one key.
    12: "GetItem Likes: 0.5 r, 0 w",
    13: "Query People: 1.5 r, 0 w",
    18: "BatchGetItem People × 50 keys: 25 r, 0 w",
  });
});

test("the number of members is not raised in a workspace that is made in the same transaction", () => {
  expect(planned("saas-workspaces")).toMatchObject({
    5: "TransactWriteItems put Workspace, put Workspace.slug, put Membership: 0 r, 7 w",
    14: "TransactWriteItems delete Membership, update Workspace: 0 r, 5 w",
  });
});

test("what lies inside of an item comes with it", () => {
  expect(planned("marketplace")).toMatchObject({ 2: "GetItem Sessions: 0.5 r, 0 w" });
});

test("how many there are is what was said", () => {
  // Twelve lessons of some 90 bytes are less than 4 KB; of 47 it would be more.
  expect(planned("learning")).toMatchObject({ 18: "Query Progress: 1 r, 0 w" });
});

test("what is wanted beside an item may be a part of it", () => {
  expect(planned("code-hosting")).toMatchObject({
    // The text of issues lies in items of their own and is not wanted on the page.
    home: "Query Code: 0.5 r, 0 w",
    issue: "GetItem Code; GetItem Code: 1.1 r, 0 w",
  });
});

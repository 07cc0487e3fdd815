import { Entity, Service } from "electrodb";
import { beforeAll, expect, test } from "vitest";
import { createTable, useServer } from "../harness.ts";

/** A task tracker with ElectroDB: employees, tasks and their comments in one table with two indexes. */
const server = useServer();
let tracker: ReturnType<typeof open>;

function open(table: string) {
  const configuration = { client: server.client, table };
  const employee = new Entity(
    {
      model: { entity: "employee", version: "1", service: "tracker" },
      attributes: {
        employeeId: { type: "string", required: true },
        team: { type: "string", required: true },
        name: { type: "string", required: true },
        skills: { type: "set", items: "string" },
        openTasks: { type: "number", default: 0 },
      },
      indexes: {
        employee: {
          pk: { field: "pk", composite: ["employeeId"] },
          sk: { field: "sk", composite: [] },
        },
        team: {
          index: "gsi1",
          collection: "teamwork",
          pk: { field: "gsi1pk", composite: ["team"] },
          sk: { field: "gsi1sk", composite: ["employeeId"] },
        },
      },
    },
    configuration,
  );
  const task = new Entity(
    {
      model: { entity: "task", version: "1", service: "tracker" },
      attributes: {
        taskId: { type: "string", required: true },
        team: { type: "string", required: true },
        assignee: { type: "string" },
        status: { type: ["open", "doing", "done"] as const, default: "open" },
        points: { type: "number", default: 1 },
        title: { type: "string", required: true },
        labels: { type: "list", items: { type: "string" } },
        place: { type: "map", properties: { room: { type: "string" }, floor: { type: "number" } } },
        revision: { type: "number", default: 0 },
      },
      indexes: {
        task: {
          pk: { field: "pk", composite: ["taskId"] },
          sk: { field: "sk", composite: [] },
        },
        team: {
          index: "gsi1",
          collection: "teamwork",
          pk: { field: "gsi1pk", composite: ["team"] },
          sk: { field: "gsi1sk", composite: ["status", "taskId"] },
        },
        assigned: {
          index: "gsi2",
          pk: { field: "gsi2pk", composite: ["assignee"] },
          sk: { field: "gsi2sk", composite: ["taskId"] },
        },
      },
    },
    configuration,
  );
  return new Service({ employee, task });
}

beforeAll(async () => {
  const table = await createTable(server, {
    key: "pk:S sk:S",
    global: {
      gsi1: { hash: "gsi1pk:S", range: "gsi1sk:S" },
      gsi2: { hash: "gsi2pk:S", range: "gsi2sk:S" },
    },
  });
  tracker = open(table);
});

const tasks = () => tracker.entities.task;
const employees = () => tracker.entities.employee;

async function addTasks(team: string, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => ({
    taskId: `${team}-${String(i).padStart(2, "0")}`,
    team,
    title: `Task ${i}`,
    points: i,
  }));
  const { unprocessed } = await tasks().put(items).go();
  expect(unprocessed).toEqual([]);
}

test("create refuses what is there already, and put replaces it", async () => {
  const first = { employeeId: "e1", team: "red", name: "Ada", skills: ["math", "code"] };
  const { data } = await employees().create(first).go();
  expect(data).toEqual({ ...first, openTasks: 0 });
  await expect(
    employees()
      .create({ ...first, name: "Bob" })
      .go(),
  ).rejects.toThrow("The conditional request failed");
  expect((await employees().get({ employeeId: "e1" }).go()).data?.name).toBe("Ada");
  await employees().put({ employeeId: "e1", team: "red", name: "Ada L." }).go();
  expect((await employees().get({ employeeId: "e1" }).go()).data).toEqual({
    employeeId: "e1",
    team: "red",
    name: "Ada L.",
    openTasks: 0,
  });
});

test("what is not there is null, and cannot be patched", async () => {
  expect((await tasks().get({ taskId: "none" }).go()).data).toBeNull();
  await expect(tasks().patch({ taskId: "none" }).set({ title: "x" }).go()).rejects.toThrow(
    "The conditional request failed",
  );
  expect((await tasks().get({ taskId: "none" }).go()).data).toBeNull();
});

test("an update adds, appends, sets inside maps and answers the new item", async () => {
  await tasks()
    .create({ taskId: "u1", team: "blue", title: "Paint", labels: ["a"], place: { room: "12" } })
    .go();
  const { data } = await tasks()
    .update({ taskId: "u1" })
    .add({ points: 4, revision: 1 })
    .append({ labels: ["b", "c"] })
    .data(({ place }, { set }) => set(place.floor, 3))
    .go({ response: "all_new" });
  expect(data).toMatchObject({
    points: 5,
    revision: 1,
    labels: ["a", "b", "c"],
    place: { room: "12", floor: 3 },
  });
  const { data: removed } = await tasks()
    .update({ taskId: "u1" })
    .remove(["place"])
    .go({ response: "all_new" });
  expect(removed.place).toBeUndefined();
});

test("sets take and lose members", async () => {
  await employees()
    .create({ employeeId: "e2", team: "blue", name: "Eve", skills: ["a", "b"] })
    .go();
  await employees()
    .update({ employeeId: "e2" })
    .add({ skills: ["c"] })
    .go();
  await employees()
    .update({ employeeId: "e2" })
    .delete({ skills: ["a"] })
    .go();
  expect((await employees().get({ employeeId: "e2" }).go()).data?.skills).toEqual(["b", "c"]);
  await employees()
    .update({ employeeId: "e2" })
    .delete({ skills: ["b", "c"] })
    .go();
  expect((await employees().get({ employeeId: "e2" }).go()).data?.skills).toBeUndefined();
});

test("of several who patch the same revision one wins", async () => {
  await tasks().create({ taskId: "race", team: "blue", title: "Race" }).go();
  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      tasks()
        .patch({ taskId: "race" })
        .set({ title: `by ${i}` })
        .add({ revision: 1 })
        .where(({ revision }, { eq }) => eq(revision, 0))
        .go(),
    ),
  );
  expect(attempts.filter(({ status }) => status === "fulfilled").length).toBe(1);
  expect((await tasks().get({ taskId: "race" }).go()).data?.revision).toBe(1);
});

test("a query of an index pages with a cursor, forwards and backwards", async () => {
  await addTasks("paging", 25);
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: { data: { taskId: string }[]; cursor: string | null } = await tasks()
      .query.team({ team: "paging", status: "open" })
      .go({ limit: 10, cursor });
    seen.push(...page.data.map(({ taskId }) => taskId));
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== null);
  expect(pages).toBe(3);
  expect(seen).toEqual(
    Array.from({ length: 25 }, (_, i) => `paging-${String(i).padStart(2, "0")}`),
  );
  const { data } = await tasks()
    .query.team({ team: "paging", status: "open" })
    .go({ order: "desc", pages: "all" });
  expect(data.map(({ taskId }) => taskId)).toEqual(seen.toReversed());
});

test("sort keys select ranges, filters what remains", async () => {
  await addTasks("ranges", 8);
  const team = { team: "ranges", status: "open" as const };
  const ids = (result: { data: { taskId: string }[] }) => result.data.map(({ taskId }) => taskId);
  expect(
    ids(
      await tasks().query.team(team).between({ taskId: "ranges-02" }, { taskId: "ranges-04" }).go(),
    ),
  ).toEqual(["ranges-02", "ranges-03", "ranges-04"]);
  expect(ids(await tasks().query.team(team).gt({ taskId: "ranges-05" }).go())).toEqual([
    "ranges-06",
    "ranges-07",
  ]);
  expect(
    ids(
      await tasks()
        .query.team(team)
        .where(
          ({ points, title }, { gte, contains, ne }) =>
            `${gte(points, 5)} AND ${contains(title, "Task")} AND ${ne(points, 6)}`,
        )
        .go(),
    ),
  ).toEqual(["ranges-05", "ranges-07"]);
});

test("an item moves in its indexes when it changes", async () => {
  await tasks().create({ taskId: "m1", team: "movers", title: "Move" }).go();
  const count = async (status: "open" | "done") =>
    (await tasks().query.team({ team: "movers", status }).go()).data.length;
  expect([await count("open"), await count("done")]).toEqual([1, 0]);
  await tasks().patch({ taskId: "m1" }).set({ status: "done" }).composite({ team: "movers" }).go();
  expect([await count("open"), await count("done")]).toEqual([0, 1]);
  expect((await tasks().query.assigned({ assignee: "e9" }).go()).data).toEqual([]);
  await tasks().update({ taskId: "m1" }).set({ assignee: "e9" }).go();
  expect((await tasks().query.assigned({ assignee: "e9" }).go()).data.length).toBe(1);
});

test("a collection reads two entities in one query", async () => {
  await employees().create({ employeeId: "c1", team: "both", name: "Cyd" }).go();
  await addTasks("both", 3);
  const { data } = await tracker.collections.teamwork({ team: "both" }).go();
  expect(data.employee.map(({ name }) => name)).toEqual(["Cyd"]);
  expect(data.task.map(({ taskId }) => taskId)).toEqual(["both-00", "both-01", "both-02"]);
});

test("batches get, put and delete more than fit into one request", async () => {
  await addTasks("many", 60);
  const keys = Array.from({ length: 130 }, (_, i) => ({
    taskId: `many-${String(i).padStart(2, "0")}`,
  }));
  const { data, unprocessed } = await tasks().get(keys).go();
  expect([data.length, unprocessed.length]).toEqual([60, 0]);
  await tasks().delete(keys.slice(0, 30)).go();
  expect((await tasks().get(keys).go()).data.length).toBe(30);
});

test("a transaction assigns a task or does nothing", async () => {
  await employees().create({ employeeId: "t1", team: "tx", name: "Tom" }).go();
  await tasks().create({ taskId: "tx1", team: "tx", title: "Once" }).go();
  const assign = () =>
    tracker.transaction
      .write(({ employee, task }) => [
        task
          .patch({ taskId: "tx1" })
          .set({ assignee: "t1" })
          .where(({ assignee }, { notExists }) => notExists(assignee))
          .commit({ response: "all_old" }),
        employee.patch({ employeeId: "t1" }).add({ openTasks: 1 }).commit(),
      ])
      .go();
  expect((await assign()).canceled).toBe(false);
  const again = await assign();
  expect(again.canceled).toBe(true);
  expect(again.data.map(({ rejected, code }) => [rejected, code])).toEqual([
    [true, "ConditionalCheckFailed"],
    [false, "None"],
  ]);
  expect(again.data[0]?.item).toMatchObject({ taskId: "tx1", assignee: "t1" });
  const { data } = await tracker.transaction
    .get(({ employee, task }) => [
      employee.get({ employeeId: "t1" }).commit(),
      task.get({ taskId: "tx1" }).commit(),
      task.get({ taskId: "nothing" }).commit(),
    ])
    .go();
  expect(data.map(({ item }) => item)).toMatchObject([{ openTasks: 1 }, { assignee: "t1" }, null]);
});

test("remove answers the old item and refuses a second time", async () => {
  await tasks().create({ taskId: "gone", team: "end", title: "Last" }).go();
  const { data } = await tasks().remove({ taskId: "gone" }).go({ response: "all_old" });
  expect(data).toMatchObject({ taskId: "gone", title: "Last" });
  await expect(tasks().remove({ taskId: "gone" }).go()).rejects.toThrow(
    "The conditional request failed",
  );
});

test("a scan finds only the entity it is asked for", async () => {
  const { data } = await employees().scan.go({ pages: "all" });
  expect(new Set(data.map(({ employeeId }) => employeeId))).toEqual(
    new Set(["e1", "e2", "c1", "t1"]),
  );
});

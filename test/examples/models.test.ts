import { describe, expect, test } from "vitest";
import { examples, modelOf } from "../../src/model/model.test-support.ts";
import type { Model } from "../../src/model/model.ts";
import { openQuestions } from "../../src/model/open-questions.ts";
import { parseModel } from "../../src/model/parse.ts";
import { printModel } from "../../src/model/print.ts";
import { Facts } from "../../src/modeller/facts.ts";
import { isTopic } from "../../src/modeller/learn/topics.ts";
import { plansOf } from "../../src/modeller/plans/planner.ts";
import { read } from "../tidy/source-files.ts";
import { techniques } from "./techniques.ts";

const models = new Map(
  examples.map(([file, text]) => [file.replace(".yaml", ""), modelOf(text)] as const),
);

test("there are ten", () => {
  expect(models.size).toBe(10);
});

describe.each(examples)("%s", (file, text) => {
  const model = modelOf(text);

  test("is whole, and leaves no question open", () => {
    expect(parseModel(text, file).complaints).toEqual([]);
    expect(openQuestions(model)).toEqual([]);
  });

  test("is called like its file, and says in two lines what it shows", () => {
    expect(`${model.name}.yaml`).toBe(file);
    expect(text).toMatch(/^# \S.*\n# \S.*\nkeywright: 1\n/);
  });

  test("reads back the same when it is printed", () => {
    const again = modelOf(printModel(model.document)).document;
    expect(JSON.stringify(again)).toBe(JSON.stringify(model.document));
  });

  test("writes what it reads and reads what it writes", () => {
    for (const entity of model.entities.keys()) {
      expect.soft(made(model, entity), `${entity} is made by a pattern`).toBe(true);
      expect.soft(seen(model, entity), `${entity} is read by a pattern`).toBe(true);
    }
  });

  test("has a plan without a scan for everything that it says is solved", () => {
    for (const { pattern, problem, requests } of plansOf(new Facts(model)).values()) {
      if (pattern.status !== "solved") continue;
      expect.soft(problem, pattern.name).toBeUndefined();
      expect.soft(requests.length, pattern.name).toBeGreaterThan(0);
      const operations = requests.map(({ operation }) => operation);
      expect.soft(operations, pattern.name).not.toContain("Scan");
    }
  });

  test("has a limit on every list", () => {
    for (const { name, status, actions, batch } of model.patterns.values()) {
      const [action] = actions;
      if (status !== "solved" || action?.kind !== "read" || batch !== undefined) continue;
      const { entity, where, limit } = action;
      const named = (attribute: string): boolean =>
        where.some((one) => one.attribute === attribute && one.operator === "equals");
      const { id = [], attributes = new Map() } = model.entities.get(entity) ?? {};
      const single = id.every(named) || where.some((one) => attributes.get(one.attribute)?.unique);
      expect.soft(single || limit !== undefined, name).toBe(true);
    }
  });

  test("has a reason for what is assumed and for what is decided", () => {
    const why = (value: unknown, at: string): void => {
      if (typeof value !== "object" || value === null) return;
      if ("assumed" in value) expect.soft(value, at).toHaveProperty("why");
      for (const [key, inner] of Object.entries(value)) why(inner, `${at}.${key}`);
    };
    why(model.document, file);
    expect(model.design?.tradeoffs.length).toBeGreaterThan(0);
    expect(model.design?.decisions.length).toBeGreaterThan(0);
    for (const { about, why: reason, rejected = [] } of model.design?.decisions ?? []) {
      expect.soft(reason ?? rejected[0]?.why, about).toBeDefined();
    }
  });
});

/** An entity is made by a pattern of its own, along with another, or by an aggregate. */
function made(model: Model, entity: string): boolean {
  return (
    [...model.patterns.values()].some(
      ({ actions, with: others }) =>
        actions.some((one) => one.kind === "create" && one.entity === entity) ||
        others.some((one) => one.entity === entity),
    ) ||
    [...(model.design?.tables.values() ?? [])].some(({ aggregates }) =>
      aggregates.some(({ into }) => into.entity === entity),
    )
  );
}

function seen(model: Model, entity: string): boolean {
  return [...model.patterns.values()].some(
    ({ actions, together }) =>
      actions.some((one) => one.kind === "read" && one.entity === entity) ||
      together.some((one) => one.entity === entity),
  );
}

describe("docs/examples.md", () => {
  const rows = [...read("docs/examples.md").matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) =>
    row.split(" | "),
  );
  const link = (name: string): string => `[${name}](../examples/models/${name}.yaml)`;
  const linked = rows.filter(([first = ""]) => first.startsWith("["));

  test("has a line for each example", () => {
    expect(linked.map(([first]) => first).toSorted()).toEqual([...models.keys()].map(link));
  });

  test.each(techniques)("$name is where it says", ({ name, topic, uses }) => {
    const using = [...models].filter(([, model]) => uses(model)).map(([one]) => link(one));
    expect(using.length).toBeGreaterThan(0);
    expect(isTopic(topic)).toBe(true);
    const row = rows.find(([first]) => first === name);
    expect(row).toEqual([name, `\`${topic}\``, using.join(", ")]);
  });

  test("names no technique that nobody looks for", () => {
    const known = new Set(techniques.map(({ name }) => name));
    const others = rows.filter((row) => row.length === 3 && !linked.includes(row));
    const named = others
      .map(([first = ""]) => first)
      .filter((one) => !/^(model|technique|-+)$/.test(one));
    expect(named.filter((one) => !known.has(one))).toEqual([]);
    expect(new Set(named).size).toBe(known.size);
  });
});

test("a plain model uses none of the techniques", () => {
  const plain = modelOf(`keywright: 1
name: plain
entities:
  Thing: { id: [thingId], count: 5, attributes: { thingId: { type: S, format: uuid } } }
patterns:
  1: { name: A thing, read: Thing, where: { thingId: equals }, rps: { average: 1, peak: 1 } }
design:
  style: natural
  tables:
    Things:
      key: { thingId: S }
      entities: { Thing: { key: { thingId: "{thingId}" } } }
      indexes: { All: { key: { partition: thingId } } }
`);
  const using = techniques.filter(({ uses }) => uses(plain)).map(({ name }) => name);
  expect(using).toEqual(["Tables with natural names"]);
});

import { describe, expect, test } from "vitest";
import { editText } from "../../src/document/edit.ts";
import type { DesignDocument } from "../../src/model/document-design.ts";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";
import { designed, expectFlip } from "./flipping.ts";

const now = Date.UTC(2026, 0, 15, 12);

/** A small number in a large item that is written again and again. */
const products = (more = ""): string => `keywright: 1
name: shelf
entities:
  Product:
    id: [productId]
    count: 200_000
    attributes:
      productId: { type: S, format: ulid }
      name: { type: S, bytes: 40 }
      description: { type: S, bytes: 3000 }
      stock: { type: N, digits: 5 }
patterns:
  1: { name: A product, read: Product, where: { productId: equals }, rps: 20 }
  2: { name: Sell, update: Product, where: { productId: equals }, changes: [stock], rps: 100 }
  3: { name: List it, create: Product, condition: absent, rps: 1 }
  4: { name: Take it away, delete: Product, where: { productId: equals }, rps: 0.5 }
${more}`;

/** Lists show a line of what is much larger. */
const issues = `keywright: 1
name: issues
entities:
  Issue:
    id: [project, number]
    count: 2_000_000
    attributes:
      project: { type: S, bytes: 20, distinct: 10_000 }
      number: { type: N, digits: 5 }
      title: { type: S, bytes: 60 }
      status: { type: S, bytes: 6 }
      text: { type: S, bytes: 2500 }
patterns:
  1: { name: An issue, read: Issue, where: { project: equals, number: equals }, rps: 20 }
  2:
    name: Issues of a project
    read: Issue
    where: { project: equals }
    order: { number: descending }
    limit: 30
    returns: [project, number, title, status]
    consistency: strong
    rps: 100
  3: { name: Open, create: Issue, condition: absent, rps: 1 }
  4: { name: Close, update: Issue, where: { project: equals, number: equals }, changes: [status], rps: 5 }
`;

const plainProducts: DesignDocument = {
  tables: {
    Products: {
      billing: "on-demand",
      key: { productId: "S" },
      entities: { Product: { key: { productId: "{productId}" } } },
    },
  },
};

describe("a part in an item of its own", { timeout: 120_000 }, () => {
  test("is chosen for what changes often beside something large, and is proved", async () => {
    const text = products();
    const design = await designModel(text, "model.yaml", { now });
    expect(isFailing(design)).toBe(false);
    expect(design.designed?.design.tables.Products?.entities?.Product).toEqual({
      key: { productId: "{productId}", part: "PRODUCT" },
      split: [
        { name: "stock", key: { productId: "{productId}", part: "STOCK" }, attributes: ["stock"] },
      ],
    });
    const plain = editText(text, [{ kind: "set", path: ["design"], value: plainProducts }]);
    const before = costModel(plain, "model.yaml").report?.total.average ?? 0;
    const total = design.designed?.total ?? 0;
    // Of 100 changes in a second each writes one unit instead of three.
    expect(before - total).toBeGreaterThan(300);
    expect(costModel(design.text ?? "", "model.yaml").report?.total.average).toBeCloseTo(total, 2);
    expect(design.designed?.design.decisions).toEqual([
      {
        about: "design.tables.Products",
        chosen: "Product by productId, with stock in an item of its own",
        rejected: [
          { what: "Product by productId", perMonth: Math.round((before - total) * 100) / 100 },
        ],
        why: "it is the cheapest",
      },
    ]);
  });

  test("is not chosen if it is hardly ever changed, and the number between is told", () => {
    const rare = products().replace("rps: 100", "rps: 1");
    expect(designed(rare).design.tables).toMatchObject(plainProducts.tables);
    expectFlip(products(), "2.rps.average", "below");
    expectFlip(rare, "2.rps.average", "above");
  });

  test("is not chosen for what lies in one unit anyway", () => {
    const small = products().replace("bytes: 3000", "bytes: 300");
    expect(designed(small).design.tables).toMatchObject(plainProducts.tables);
  });

  test("does not hold what somebody asks about, or compares", () => {
    const asked = products(
      "  5: { name: Few, read: Product, where: { stock: less }, rps: 0.001 }\n",
    );
    const guarded = products().replace(
      "changes: [stock]",
      "adds: { stock: -1 }, condition: { stock: { at-least: 1 } }",
    );
    for (const text of [asked, guarded]) {
      const [split] = designed(text).design.tables.Products?.entities?.Product?.split ?? [];
      expect(split?.attributes ?? []).not.toContain("stock");
    }
  });

  test("is chosen for what lists do not show, under a key that they do not read", async () => {
    const design = await designModel(issues, "model.yaml", { now });
    expect(isFailing(design)).toBe(false);
    expect(design.designed?.design.tables.Issues?.entities?.Issue).toEqual({
      key: { projectPart: "{project}", number: "{number}" },
      split: [
        {
          name: "text",
          key: { projectPart: "{project}#TEXT", number: "{number}" },
          attributes: ["text"],
        },
      ],
    });
    expect(design.designed?.design.decisions?.[0]?.chosen).toBe(
      "Issue by project, then number, with text in an item of its own (no # may be in project)",
    );
    expectFlip(issues, "1.rps.average", "above");
  });

  test("stays where a design with it is kept, and can be tried with other numbers", async () => {
    const first = await designModel(products(), "model.yaml", { now });
    const kept = await designModel(first.text ?? "", "model.yaml", { now, keep: "all" });
    expect(kept.designed?.design.tables).toEqual(first.designed?.design.tables);
    const tried = await designModel(products(), "model.yaml", { now, whatIf: "2.rps.average=1" });
    expect(tried.designed?.design.tables).toMatchObject(plainProducts.tables);
  });
});

describe("what is read together", () => {
  const home = (parent: string, link: string, where: string): string => `keywright: 1
name: home
entities:
  Project:
    id: [${parent}]
    count: 100_000
    attributes: { ${link}, about: { type: S, bytes: 100 } }
  Issue:
    id: [${parent}, number]
    count: 2_000_000
    attributes:
      ${link.replaceAll("},", "}\n     ")}
      number: { type: N, digits: 5 }
      title: { type: S, bytes: 60 }
      text: { type: S, bytes: 2500 }
relations:
  - { from: Project, to: Issue, kind: one-to-many, average: 20, max: 90_000, identifying: true }
patterns:
  1:
    name: A project and its newest issues
    read: Project
    where: { ${where} }
    together: [{ entity: Issue, limit: 20, order: { number: descending }, returns: [number, title] }]
    consistency: strong
    rps: 100
  2: { name: An issue, read: Issue, where: { ${where}, number: equals }, rps: 5 }
  3: { name: Open, create: Issue, condition: absent, rps: 1 }
  4: { name: Begin, create: Project, condition: absent, rps: 0.1 }
`;

  test.each([
    ["project", "project: { type: S, bytes: 8 }", "project: equals", "projectPart", "{project}"],
    [
      "owner, project",
      "owner: { type: S, bytes: 8 }, project: { type: S, bytes: 8 }",
      "owner: equals, project: equals",
      "ownerProject",
      "{owner}#{project}",
    ],
  ])(
    "lies under one %s, and what lists do not show in items of their own",
    {
      timeout: 120_000,
    },
    async (parent, link, where, key, text) => {
      const document = home(parent, link, where);
      const design = await designModel(document, "home.yaml", { now });
      expect(design.refused).toEqual([]);
      expect(isFailing(design)).toBe(false);
      expect(design.designed?.design.tables).toMatchObject({
        Projects: {
          key: { [key]: "S", part: "S" },
          entities: {
            Project: { key: { [key]: text, part: "~PROJECT" } },
            Issue: {
              key: { [key]: text, part: "ISSUE#{number|pad:5}" },
              split: [{ name: "text", key: { [key]: `${text}#TEXT` }, attributes: ["text"] }],
            },
          },
        },
      });
      const { report } = costModel(design.text ?? "", "home.yaml");
      expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
      // One request of 2 KB instead of one of 50 KB, or of two.
      const whole = await designModel(document, "home.yaml", { now, whole: true });
      expect(whole.designed?.total ?? 0).toBeGreaterThan((design.designed?.total ?? 0) + 10);
    },
  );
});

import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { printModel } from "../../src/model/print.ts";
import { designModel, isFailing, modelDesignOutput } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);

interface Asked {
  readonly rename?: number;
  readonly read?: string;
  readonly together?: string;
  readonly more?: string;
}

/** Posts that are read with the name of their author, where no price of a cache is known. */
const posts = ({
  rename = 0.01,
  read = "where: { postId: equals }",
  together = "[{ entity: Person, returns: [name] }]",
  more = "",
}: Asked): string => `keywright: 1
name: posts
overview: { region: us-east-2 }
entities:
  Person:
    id: [personId]
    count: 100_000
    attributes:
      personId: { type: S, format: ulid }
      name: { type: S, bytes: 40, personal: true }
      bio: { type: S, bytes: 900 }
  Post:
    id: [postId]
    count: 2_000_000
    attributes:
      postId: { type: S, format: ulid }
      authorId: { type: S, format: ulid, mutable: false }
      topic: { type: S, bytes: 10, distinct: 1_000, mutable: false }
      text: { type: S, bytes: 200 }
relations: [{ from: Person, to: Post, kind: one-to-many, average: 20 }]
patterns:
  person: { name: A person, read: Person, where: { personId: equals }, rps: 20 }
  post: { name: A post with its author, read: Post, ${read}, together: ${together}, rps: 200 }
  write: { name: Write, create: Post, condition: absent, rps: 5 }
  rename: { name: Rename, update: Person, where: { personId: equals }, changes: [name], rps: ${rename} }
${more}`;

async function explained(asked: Asked) {
  const design = await designModel(posts(asked), "posts.yaml", { now, explain: true });
  expect(design.refused).toEqual([]);
  return design;
}

/** The document as a proposal would have it. */
function applied(asked: Asked, lines: string): string {
  const document = parse(posts(asked)) as ModelDocument;
  const added = parse(lines) as Pick<ModelDocument, "entities" | "patterns">;
  const entities = { ...document.entities };
  for (const [name, { attributes }] of Object.entries(added.entities)) {
    const entity = entities[name];
    if (entity === undefined) throw new Error(name);
    entities[name] = { ...entity, attributes: { ...entity.attributes, ...attributes } };
  }
  return printModel({
    ...document,
    entities,
    patterns: { ...document.patterns, ...added.patterns },
  });
}

describe("what could be repeated", { timeout: 120_000 }, () => {
  test("is put to the user with what it saves and costs, and is not done", async () => {
    const design = await explained({});
    const [proposal, more] = design.proposals ?? [];
    expect(more).toBeUndefined();
    expect(proposal).toMatchObject({
      entity: "Post",
      source: "Person",
      copies: new Map([["name", "authorName"]]),
      patterns: [{ id: "post", before: 2, after: 1 }],
      each: 20,
      writers: ["rename"],
      makers: ["write"],
    });
    expect(design.text).not.toContain("authorName");
    expect(modelDesignOutput(design, "text")).toContain(
      [
        "Decide: Post could repeat Person.name (as authorName), a moment behind.",
        `    It costs $${proposal?.saves.toFixed(2)} a month less, with all that it takes to keep the copies up.`,
        "    Pattern post takes 1 request instead of 2.",
        "    A change by pattern rename (0.01 a second) then also writes 20 Post on average.",
        "    Pattern write has to know authorName when it makes a Post.",
        "    The document would say, with these patterns in place of its own:",
        "      entities:",
        "        Post:",
        "          attributes:",
        "            authorName:",
        "              type: S",
        "              bytes: 40",
        "              personal: true",
        "              copyOf: Person.name",
        "              staleness: accepted",
      ].join("\n"),
    );
  });

  test("is what it says, if it is done", async () => {
    const { proposals = [], designed } = await explained({});
    const [{ lines, saves } = { lines: "", saves: 0 }] = proposals;
    const then = await designModel(applied({}, lines), "posts.yaml", { now });
    expect(then.refused).toEqual([]);
    expect(isFailing(then)).toBe(false);
    expect(saves).toBeGreaterThan(20);
    expect(then.designed?.total).toBeCloseTo((designed?.total ?? 0) - saves, 6);
  });

  test("is not told unless somebody asks why", async () => {
    const design = await designModel(posts({}), "posts.yaml", { now });
    expect(design.proposals).toBeUndefined();
    expect(modelDesignOutput(design, "text")).not.toContain("could repeat");
  });

  test.each<[string, Asked]>([
    ["changes too often", { rename: 50 }],
    ["is needed in its newest state", { read: "where: { postId: equals }, consistency: strong" }],
    ["nobody reads with it", { together: "[{ entity: Person, returns: keys }]" }],
  ])("is nothing that %s", async (_, asked) => {
    const design = await explained(asked);
    expect(design.proposals).toEqual([]);
    expect(modelDesignOutput(design, "text")).toContain(
      "No attribute was found that is better repeated.",
    );
  });

  test("a page takes a request less, and names what it returns", async () => {
    const asked = {
      read: "where: { topic: equals }, order: { postId: descending }, limit: 20, returns: [postId, text]",
      rename: 0.0001,
    };
    const design = await explained(asked);
    expect(isFailing(design)).toBe(false);
    const [proposal] = design.proposals ?? [];
    // Twenty people are read with each page.
    expect(proposal?.saves).toBeGreaterThan(600);
    expect(proposal?.patterns[0]?.after).toBeLessThan(proposal?.patterns[0]?.before ?? 0);
    const { patterns } = parse(proposal?.lines ?? "") as ModelDocument;
    expect(patterns?.post).toMatchObject({ returns: ["postId", "text", "authorName"] });
    expect(patterns?.post).not.toHaveProperty("together");
    expect(patterns?.["rename-in-Post"]).toEqual({
      name: "Rename, in every Post",
      update: "Post",
      where: { authorId: "equals" },
      changes: ["authorName"],
      rps: 0.0001,
    });
  });
});

import { describe, expect, test } from "vitest";
import { modelOf } from "../../src/model/model.test-support.ts";
import { failuresIn, undecidedIn } from "../../src/modeller/proof/verdict.test-support.ts";
import { proveModel } from "../../src/workbench/model-prove.ts";

const now = Date.UTC(2026, 0, 15, 12);

interface Case {
  readonly id?: string;
  readonly attributes: string;
  readonly pattern: string;
  readonly tables: string;
}

const document = ({ id = "id", attributes, pattern, tables }: Case): string => `keywright: 1
name: witnesses
entities:
  Thing:
    id: [${id}]
    count: 1000
    attributes: { ${attributes} }
patterns:
  one: { name: One, ${pattern}, rps: { average: 1, peak: 1 } }
design:
  tables:
    Things: ${tables}
`;

/** Mutants of the pattern that survived, with their reasons. Nothing is undecided, and no reason is wrong. */
async function survivors(one: Case): Promise<Readonly<Record<string, string | undefined>>> {
  const proofs = await proveModel(modelOf(document(one)), { now, doubtReasons: true });
  expect(failuresIn(proofs)).toEqual([]);
  expect(undecidedIn(proofs)).toEqual([]);
  const mutants = proofs.flatMap((proof) => proof.mutants);
  expect(mutants.filter(({ killed, reason }) => killed && reason !== undefined)).toEqual([]);
  return Object.fromEntries(
    mutants.flatMap(({ name, killed, reason }) => (killed ? [] : [[name, reason]])),
  );
}

const byId = '{ key: { id: S }, entities: { Thing: { key: { id: "{id}" } } } }';
const byKind = `{ key: { id: S }, entities: { Thing: { key: { id: "{id}" } } }, indexes: { ByKind: { key: { partition: kind } } } }`;

describe("a read", () => {
  test("with a limit is told from one that stops after a page on which the filter keeps nothing", async () => {
    expect(
      await survivors({
        attributes:
          "id: { type: S, format: ulid }, kind: { type: S, bytes: 4, distinct: 20 }, score: { type: N, digits: 3, present: 0.3 }",
        pattern: "read: Thing, where: { kind: equals, score: at-least }, limit: 2",
        tables: byKind,
      }),
    ).not.toHaveProperty("only the first page is read");
  });

  test("whose filter holds for everything needs one page, and the mutants say so", async () => {
    const reason = "every Thing has id, so the condition always holds";
    expect(
      await survivors({
        attributes: "id: { type: S, format: ksuid }, kind: { type: S, bytes: 4, distinct: 20 }",
        pattern: "read: Thing, where: { kind: equals, id: exists }, limit: 2",
        tables: byKind,
      }),
    ).toMatchObject({
      "only the first page is read": reason,
      "the filter on id is left out": reason,
    });
  });

  test("of something that cannot be says that nothing meets its conditions", async () => {
    const left = await survivors({
      attributes:
        "id: { type: S, format: ulid }, kind: { type: S, bytes: 4, distinct: 20 }, mark: { type: S, bytes: 4 }",
      pattern: "read: Thing, where: { kind: equals, mark: { exists: false } }, limit: 2",
      tables: byKind,
    });
    expect(Object.values(left)).toContainEqual(
      expect.stringContaining("no Thing meets the conditions on mark: every item has it"),
    );
  });
});

describe("a write", () => {
  test("creates entities whose ids are bytes", async () => {
    expect(
      await survivors({
        attributes: "id: { type: B, bytes: 16 }, title: { type: S, bytes: 10 }",
        pattern: "create: Thing, condition: absent",
        tables: byId.replace("id: S", "id: B"),
      }),
    ).toEqual({});
  });

  test("creates an entity of which all ids are taken in the sample", async () => {
    expect(
      await survivors({
        attributes: "id: { type: S, values: [eu, us, ap] }, visits: { type: N, digits: 3 }",
        pattern: "create: Thing, condition: absent",
        tables: byId,
      }),
    ).toEqual({});
  });

  test("that compares an attribute needs no other condition, and says so", async () => {
    expect(
      await survivors({
        attributes:
          "id: { type: S, format: ulid }, kind: { type: S, bytes: 4 }, note: { type: S, bytes: 4 }",
        pattern:
          "update: Thing, where: { id: equals, kind: equals }, changes: [note], condition: exists",
        tables: byId,
      }),
    ).toEqual({
      "the condition on Thing is left out": "the look at kind fails as well if there is no item",
    });
  });

  test("compares the owner of a unique value, which others may have taken in between", async () => {
    expect(
      await survivors({
        attributes:
          "id: { type: S, format: ulid }, name: { type: S, bytes: 12, unique: true, mutable: true }, note: { type: S, bytes: 4 }",
        pattern: "update: Thing, where: { id: equals }, changes: [name], condition: exists",
        tables: `{ key: { id: S }, entities: { Thing: { key: { id: "{id}" } } }, unique: [{ entity: Thing, attribute: name, table: Names, key: { name: "{name}" } }] }
    Names: { key: { name: S } }`,
      }),
    ).toEqual({});
  });

  test("whose steps and conditions share parameters is tried where all of them succeed", async () => {
    const [one, other] = ["{ equals: $one }", "{ equals: $other }"];
    expect(
      await survivors({
        attributes:
          "id: { type: S, format: ulid }, kind: { type: S, bytes: 9, distinct: 900 }, score: { type: N, digits: 9 }",
        pattern: `transaction: [{ create: Thing, condition: absent }, { update: Thing, where: { id: ${one} }, changes: [score], condition: { kind: { less: $given }, score: { equals: $old } } }, { check: Thing, where: { id: ${other} }, condition: { kind: { equals: $given } } }]`,
        tables: byId,
      }),
    ).toEqual({});
  });

  test("that never succeeds is not provable", async () => {
    const text = document({
      attributes:
        "id: { type: S, format: ulid }, kind: { type: S, bytes: 9 }, score: { type: N, digits: 9 }",
      pattern:
        "update: Thing, where: { id: equals, kind: { begins-with: a } }, changes: [score], condition: { kind: { begins-with: b } }",
      tables: byId,
    });
    const [proof] = await proveModel(modelOf(text), { now });
    expect(proof?.verdict).toEqual({
      kind: "not-provable",
      reason: "no data was found for which it is not refused",
      isExcluded: false,
    });
  });
});

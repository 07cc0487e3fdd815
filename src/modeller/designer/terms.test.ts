import { expect, test } from "vitest";
import type { DesignDocument } from "../../model/document-design.ts";
import { modelOf } from "../../model/model.test-support.ts";
import type { ModelDocument } from "../../model/model-document.ts";
import { reasonsFor } from "./terms.ts";

const plain = `{ key: { id: S }, entities: { Note: { key: { id: "{id}" } } } }`;

/** Why a design with one table would be cheaper than another one that costs so much. */
function reasons(table: string, total = 1e6, more: { pattern?: string; billing?: boolean } = {}) {
  const model = modelOf(`keywright: 1
name: notes
entities:
  Note:
    id: [id]
    count: 10_000_000_000
    attributes:
      id: { type: S, format: ulid }
      owner: { type: S, bytes: 12, distinct: 100_000, mutable: false }
      at: { type: S, format: iso-time, mutable: false }
      text: { type: S, bytes: 500 }
      edits: { type: N, digits: 3, counter: true }
patterns:
  make: { name: Make, create: Note, condition: absent, rps: { average: 20, peak: 40 } }
  one: { name: One, read: Note, where: { id: equals }, rps: { average: 200, peak: 400 } }
  ${more.pattern ?? ""}
design:
  tables:
    Notes: ${table}
`);
  const there = (model.document as ModelDocument & { design: DesignDocument }).design;
  const next = { tables: { Notes: { key: { id: "S" } } } } as DesignDocument;
  const { billing = false } = more;
  return reasonsFor({ model, there, next, total, billing }).map(({ kind, text, dollars }) => {
    return [kind, text, dollars === undefined ? "" : Math.round(dollars)] as const;
  });
}

test("what is cheaper for nothing that is known is said to be so, and what is not cheaper has no reason", () => {
  expect(reasons(plain)).toEqual([
    ["unknown", "It does something there that is not looked at here", expect.any(Number)],
  ]);
  expect(reasons(plain, 1)).toEqual([]);
});

test("how it is paid for, unless that is chosen, too", () => {
  const less = plain.replace(
    "{ key",
    "{ billing: { provisioned: { read: 1, write: 1 } }, periods: { every: year, attribute: at, keep: 3, older: { class: infrequent-access } }, key",
  );
  const keyed = less
    .replace('"{id}"', '"{id}", at: "{at}"')
    .replace("{ id: S }", "{ id: S, at: S }");
  expect(reasons(keyed).slice(0, 2)).toEqual([
    [
      "terms",
      "Notes is paid for otherwise there than by requests in the standard class, which --billing looks at",
      expect.any(Number),
    ],
    ["terms", "Notes is in tables of periods there, which --billing looks at", expect.any(Number)],
  ]);
  expect(reasons(keyed, 1e6, { billing: true }).map(([kind]) => kind)).not.toContain("terms");
});

test("what a cache is said to answer", () => {
  const cached = plain.replace(
    "{ key",
    "{ dax: { node: dax.r5.large, nodes: 3, hitRate: { assumed: 0.9 }, patterns: [one] }, key",
  );
  // 200 a second are 60,000 in five minutes, for ten billion of them.
  expect(reasons(cached)[0]).toEqual([
    "terms",
    "a cache of Notes is said there to answer 90 % of one, of which rates and skews let expect 0 %",
    expect.any(Number),
  ]);
});

test("a key that does not tell whether an id is taken", () => {
  const key = `{ key: { owner: S, k: S }, entities: { Note: { key: { owner: "{owner}", k: "{at}#{id}" } } }, indexes: { ById: { key: { partition: id } } } }`;
  expect(reasons(key)).toEqual([
    [
      "rule",
      "The key of Note has owner and at in it there, so that make cannot tell whether an id is taken",
      "",
    ],
  ]);
});

test("what is hot, late or outside of a scope", () => {
  const hot =
    "mine: { name: Mine, read: Note, where: { owner: equals }, limit: 1, skew: { key: owner, hottest: 0.9 }, rps: { average: 1, peak: 9_000 } }";
  const index = plain.replace(
    "{ key",
    "{ indexes: { ByOwner: { key: { partition: owner } } }, key",
  );
  expect(reasons(index, 1e6, { pattern: hot })).toEqual([
    ["rule", "At peak a key of Notes.ByOwner takes more there than a partition gives", ""],
  ]);
  const mine =
    "mine: { name: Mine, read: Note, where: { owner: equals }, latency: 20ms, scope: [owner], rps: 0.000001 }";
  expect(reasons(plain, 1e6, { pattern: mine })).toEqual([
    ["rule", "mine takes longer there than its latency allows", ""],
    ["rule", "mine lists more there than its scope lets its caller see", ""],
  ]);
});

test("what cannot be answered", () => {
  const both =
    "two: { name: Two, transaction: [{ read: Note, where: { owner: equals } }], rps: 1 }";
  expect(reasons(plain, 1e6, { pattern: both })).toEqual([
    ["rule", "two cannot be answered there", ""],
  ]);
});

test("numbers that nothing asks to be kept are no reason to be dearer", () => {
  const kept = plain.replace(
    "{ key",
    "{ aggregates: [{ of: Note, into: Note.edits, by: stream }], stream: new-image, key",
  );
  expect(reasons(kept)).toEqual(reasons(plain));
});

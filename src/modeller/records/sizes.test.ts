import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { estimateRun } from "../units/estimate.ts";

/** An item is its key (2 + 10 bytes), its name (4) and its text: 10, or 2,000 in a quarter of all cases. */
const notes = (more: string, design: string): string => `keywright: 1
name: notes
entities:
  Note:
    id: [id]
    count: 1000
    attributes:
      id: { type: S, bytes: 10 }
      text: { type: S, bytes: { shares: { 10: 0.75, 2000: 0.25 } } }
${more}
design:
  tables:
${design}
`;

function unitsOf(text: string): Record<string, number> {
  const facts = new Facts(modelOf(text));
  return Object.fromEntries(
    [...plansOf(facts)].map(([id, { requests }]) => {
      const { read, write } = estimateRun(facts, requests);
      return [id, Number((read + write).toFixed(6))];
    }),
  );
}

const plain = '    Notes: { key: { id: S }, entities: { Note: { key: { id: "{id}" } } } }';

test("a change is charged by the larger of the sizes before and after it", () => {
  const units = unitsOf(
    notes(
      `      kind: { type: S, values: { a: 0.5, b: 0.5 } }
patterns:
  make: { name: make, create: Note, condition: absent, rps: 1 }
  write: { name: write, update: Note, where: { id: equals }, changes: [text], condition: exists, rps: 1 }
  mark: { name: mark, update: Note, where: { id: equals }, changes: { kind: b }, condition: exists, rps: 1 }
  clear: { name: clear, update: Note, where: { id: equals }, removes: [text], condition: exists, rps: 1 }
  drop: { name: drop, delete: Note, where: { id: equals }, rps: 1 }`,
      plain,
    ),
  );
  // A quarter of the texts makes two units of one; of two independent texts 1 - 0.75 x 0.75 = 7 in 16 do.
  expect(units).toEqual({ make: 1.25, write: 1.4375, mark: 1.25, clear: 1.25, drop: 1.25 });
});

test("what was not there before is charged by what is there then", () => {
  const units = unitsOf(
    notes(
      `      more: { type: S, bytes: { shares: { 10: 0.75, 2000: 0.25 } }, present: 0.5 }
patterns:
  more: { name: more, update: Note, where: { id: equals }, changes: [more], condition: exists, rps: 1 }`,
      `    Notes:
      key: { id: S, part: S }
      entities:
        Note:
          key: { id: "{id}", part: NOTE }
          split: [{ name: more, key: { id: "{id}", part: MORE }, attributes: [more] }]`,
    ),
  );
  // Half of the parts are there and have a text before (1.4375), half are not (1.25). The note is looked at with
  // them in a transaction, which doubles both: 2 x ((1.4375 + 1.25) / 2 + 1.25).
  expect(units).toEqual({ more: 5.1875 });
});

test("a list that is appended to is longer by one afterwards", () => {
  // 2 + 10, 4 + 3 and 10 elements of 99 + 1 bytes: 1,019. One more makes 1,119.
  const text = (change: string): string => `keywright: 1
name: lists
entities:
  Note:
    id: [id]
    count: 1000
    attributes:
      id: { type: S, bytes: 10 }
      list: { type: L, elements: { average: 10, max: 20 }, bytes: 99 }
patterns:
  change: { name: change, update: Note, where: { id: equals }, ${change}, condition: exists, rps: 1 }
design: { tables: { Notes: { key: { id: S }, entities: { Note: { key: { id: "{id}" } } } } } }
`;
  expect(unitsOf(text("appends: [list]"))).toEqual({ change: 2 });
  expect(unitsOf(text("changes: [list]"))).toEqual({ change: 1 });
});

test("values of the partition key are as long in all items of a partition", () => {
  // A note has 10 bytes and twice the owner's 10 or 1,100: 30 or 2,210. Four of them are 120 or 8,840 bytes.
  const text = `keywright: 1
name: owners
entities:
  Note:
    id: [owner, n]
    count: 4000
    attributes:
      owner: { type: S, bytes: { shares: { 10: 0.5, 1100: 0.5 } }, distinct: 1000 }
      n: { type: N, digits: 2 }
patterns:
  all: { name: all, read: Note, where: { owner: equals }, consistency: strong, rps: 1 }
design:
  tables:
    Notes:
      key: { pk: S, n: N }
      entities: { Note: { key: { pk: "{owner}", n: "{n}" } } }
`;
  // Half of the partitions take one unit and half three; as if each note had an owner of its own it would be less.
  const { all = 0 } = unitsOf(text);
  expect(all).toBe(2);
});

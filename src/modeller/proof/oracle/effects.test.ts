import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../../item/attribute-value.ts";
import { modelOf } from "../../../model/model.test-support.ts";
import { effectOf } from "./effects.ts";
import type { EntityValues, State } from "./state.ts";

const text = `
keywright: 1
name: writes
entities:
  Team:
    id: [teamId]
    attributes:
      teamId: { type: S, format: ulid }
      label: { type: S, bytes: 9 }
      members: { type: N, digits: 38, keeps: { count: Member } }
      points: { type: N, digits: 38, keeps: { sum: Member.score } }
  Member:
    id: [memberId]
    version: revision
    attributes:
      memberId: { type: S, bytes: 9 }
      teamId: { type: S, format: ulid, present: 0.9 }
      mail: { type: S, bytes: 20, unique: true, present: 0.9 }
      state: { type: S, values: [new, old], present: 0.9 }
      score: { type: N, digits: 38, present: 0.9 }
      tags: { type: SS, bytes: 9, elements: { average: 2 }, present: 0.5 }
      revision: { type: N, digits: 4 }
      teamLabel: { type: S, bytes: 9, copyOf: Team.label, staleness: refused }
  Note:
    id: [noteId]
    attributes:
      noteId: { type: S, bytes: 9 }
      memberId: { type: S, bytes: 9 }
      text: { type: S, bytes: 9, present: 0.5 }
      size: { type: N, digits: 38, present: 0.5 }
relations:
  - { from: Team, to: Member, kind: one-to-many, max: 5 }
  - { from: Member, to: Note, kind: one-to-many, max: 5 }
patterns:
  join: { name: p, create: Member, condition: absent }
  put-member: { name: p, create: Member }
  put-note: { name: p, create: Note }
  put-note-absent: { name: p, create: Note, condition: absent }
  put-note-exists: { name: p, create: Note, condition: exists }
  put-note-if: { name: p, create: Note, condition: { text: equals } }
  put-note-if-no-text: { name: p, create: Note, condition: { text: { exists: false } } }
  put-notes: { name: p, create: Note, condition: absent, batch: 2 }
  note-with-member: { name: p, create: Member, condition: absent, with: [Note] }
  set: { name: p, update: Note, where: { noteId: equals }, changes: [text] }
  set-exists: { name: p, update: Note, where: { noteId: equals }, changes: [text], condition: exists }
  set-if: { name: p, update: Note, where: { noteId: equals }, changes: [text], condition: { size: at-least } }
  set-if-none: { name: p, update: Note, where: { noteId: equals }, changes: [text], condition: { size: { exists: false } } }
  set-and-more: { name: p, update: Note, where: { noteId: equals, memberId: equals }, changes: [text] }
  set-many: { name: p, update: Note, where: { noteId: equals }, changes: [text], condition: exists, batch: 2 }
  set-one-of: { name: p, update: Note, where: { noteId: { one-of: $notes } }, changes: [text], condition: exists }
  set-one-of-both: { name: p, transaction: [{ update: Note, where: { noteId: { one-of: $notes } }, changes: [text], condition: exists }, { create: Note, condition: absent }] }
  add: { name: p, update: Note, where: { noteId: equals }, adds: { size: 0.5 }, condition: exists }
  remove: { name: p, update: Note, where: { noteId: equals }, removes: [text], condition: exists }
  set-mail: { name: p, update: Member, where: { memberId: equals }, changes: [mail], condition: exists }
  drop-mail: { name: p, update: Member, where: { memberId: equals }, removes: [mail], condition: exists }
  set-score: { name: p, update: Member, where: { memberId: equals }, changes: [score], condition: exists }
  tag: { name: p, update: Member, where: { memberId: equals }, appends: [tags], condition: exists }
  lock: { name: p, update: Member, where: { memberId: equals }, changes: [state], condition: version }
  rename: { name: p, update: Team, where: { teamId: equals }, changes: [label], condition: exists }
  delete-note: { name: p, delete: Note, where: { noteId: equals } }
  delete-note-exists: { name: p, delete: Note, where: { noteId: equals }, condition: exists }
  delete-note-if: { name: p, delete: Note, where: { noteId: equals }, condition: { text: equals } }
  delete-note-and-more: { name: p, delete: Note, where: { noteId: equals, memberId: equals } }
  leave: { name: p, delete: Member, where: { memberId: equals } }
  leave-with: { name: p, delete: Member, where: { memberId: equals }, condition: exists, with: [Note] }
  check-exists: { name: p, transaction: [{ check: Member, where: { memberId: equals }, condition: exists }, { create: Note, condition: absent }] }
  check-absent: { name: p, transaction: [{ check: Member, where: { memberId: equals }, condition: absent }, { create: Note, condition: absent }] }
  check-where: { name: p, transaction: [{ check: Member, where: { memberId: equals }, condition: { state: { equals: new } } }, { create: Note, condition: absent }] }
  check-no-mail: { name: p, transaction: [{ check: Member, where: { memberId: equals }, condition: { mail: { exists: false } } }, { create: Note, condition: absent }] }
  two: { name: p, transaction: [{ update: Note, where: { noteId: equals }, changes: { text: $new }, condition: exists }, { delete: Note, where: { noteId: { equals: $other } } }] }
  move-mail: { name: p, transaction: [{ update: Member, where: { memberId: equals }, removes: [mail], condition: exists }, { update: Member, where: { memberId: { equals: $other } }, changes: { mail: $mail }, condition: exists }] }
  check-many: { name: p, transaction: [{ check: Member, where: { memberId: equals }, condition: exists, average: 2 }, { create: Note, condition: absent }] }
  two-notes: { name: p, transaction: [{ create: Note, condition: absent, average: 2 }, { check: Member, where: { memberId: equals }, condition: exists }] }
design:
  tables:
    Teams:
      key: { teamId: S }
      entities: { Team: { key: { teamId: "{teamId}" } } }
      aggregates:
        - { of: Member, into: Team.members, by: transaction }
        - { of: Member, into: Team.points, what: sum, attribute: score, by: transaction }
    Members:
      key: { memberId: S }
      entities: { Member: { key: { memberId: "{memberId}" } } }
    Notes:
      key: { noteId: S }
      entities: { Note: { key: { noteId: "{noteId}" } } }
`;

const model = modelOf(text);

type Plain = Readonly<Record<string, string | number | readonly string[]>>;
type PlainState = Readonly<Record<string, readonly Plain[]>>;

function attributeValue(value: Plain[string]): AttributeValue {
  if (typeof value === "number") return { N: String(value) };
  return typeof value === "string"
    ? /^#/.test(value)
      ? { N: value.slice(1) }
      : { S: value }
    : { SS: [...value] };
}

const entity = (values: Plain): EntityValues =>
  new Map(Object.entries(values).map(([name, value]) => [name, attributeValue(value)]));

function plain(values: EntityValues): Plain {
  return Object.fromEntries(
    [...values].map(([name, value]) => [
      name,
      "S" in value ? value.S : "N" in value ? `#${value.N}` : "SS" in value ? value.SS : "?",
    ]),
  );
}

const stateOf = (state: PlainState): State =>
  new Map(Object.entries(state).map(([name, list]) => [name, list.map(entity)]));

/** What is there before each write. */
const team = { teamId: "t1", label: "red", members: "#2", points: "#30" };
const ann = {
  memberId: "ann",
  teamId: "t1",
  mail: "ann@x",
  state: "new",
  score: "#10",
  revision: "#1",
  teamLabel: "red",
};
const bob = { ...ann, memberId: "bob", mail: "bob@x", score: "#20", tags: ["a"] };
const note = { noteId: "n1", memberId: "ann", text: "hi", size: "#3" };
const bare = { noteId: "n2", memberId: "ann" };
const before: PlainState = { Team: [team], Member: [ann, bob], Note: [note, bare] };

interface Row {
  readonly name: string;
  readonly pattern: string;
  readonly parameters?: Readonly<Record<string, Plain[string] | readonly Plain[string][]>>;
  readonly items?: PlainState;
  /** The lists that are other than before; or why there are none. */
  readonly after: PlainState | "refused" | "unchanged" | "untried";
}

const newNote = { noteId: "n3", memberId: "bob" };
const cat = { ...ann, memberId: "cat", mail: "cat@x", score: "#5" };
const three = { ...team, members: "#3", points: "#35" };

// biome-ignore format: a row of the table is a line
const rows: readonly Row[] = [
  // create
  { name: "create absent, nothing there", pattern: "put-note-absent", items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "create absent, id taken", pattern: "put-note-absent", items: { Note: [{ ...note, text: "new" }] }, after: "refused" },
  { name: "create, nothing there", pattern: "put-note", items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "create, replaces all attributes", pattern: "put-note", items: { Note: [{ noteId: "n1", memberId: "bob" }] }, after: { Note: [{ noteId: "n1", memberId: "bob" }, bare] } },
  { name: "create exists, there", pattern: "put-note-exists", items: { Note: [{ ...note, text: "b" }] }, after: { Note: [{ ...note, text: "b" }, bare] } },
  { name: "create exists, nothing there", pattern: "put-note-exists", items: { Note: [newNote] }, after: "refused" },
  { name: "create with attributes that hold", pattern: "put-note-if", parameters: { text: "hi" }, items: { Note: [{ ...note, size: "#4" }] }, after: { Note: [{ ...note, size: "#4" }, bare] } },
  { name: "create with attributes that do not hold", pattern: "put-note-if", parameters: { text: "ho" }, items: { Note: [note] }, after: "refused" },
  { name: "create with attributes, nothing there", pattern: "put-note-if", parameters: { text: "hi" }, items: { Note: [newNote] }, after: "refused" },
  { name: "create with exists: false, nothing there", pattern: "put-note-if-no-text", items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "create with exists: false, it has none", pattern: "put-note-if-no-text", items: { Note: [{ ...bare, size: "#1" }] }, after: { Note: [note, { ...bare, size: "#1" }] } },
  { name: "create with exists: false, it has one", pattern: "put-note-if-no-text", items: { Note: [note] }, after: "refused" },
  { name: "create of a batch, all new", pattern: "put-notes", items: { Note: [newNote, { ...newNote, noteId: "n4" }] }, after: { Note: [note, bare, newNote, { ...newNote, noteId: "n4" }] } },
  { name: "create of a batch, all taken", pattern: "put-notes", items: { Note: [note, bare] }, after: "refused" },
  { name: "create of a batch, one taken", pattern: "put-notes", items: { Note: [newNote, bare] }, after: "untried" },
  // create with unique values and aggregates
  { name: "unique value new", pattern: "join", items: { Member: [cat] }, after: { Team: [three], Member: [ann, bob, cat] } },
  { name: "unique value taken", pattern: "join", items: { Member: [{ ...cat, mail: "ann@x" }] }, after: "refused" },
  { name: "unique value missing", pattern: "join", items: { Member: [{ memberId: "cat", teamId: "t1", revision: "#1" }] }, after: { Team: [{ ...team, members: "#3" }], Member: [ann, bob, { memberId: "cat", teamId: "t1", revision: "#1" }]} },
  { name: "two without the unique value", pattern: "join", items: { Member: [{ memberId: "cat", revision: "#1" }, { memberId: "dan", revision: "#1" }]}, after: { Member: [ann, bob, { memberId: "cat", revision: "#1" }, { memberId: "dan", revision: "#1" }]} },
  { name: "id taken, own unique value", pattern: "join", items: { Member: [ann] }, after: "refused" },
  { name: "create without condition of what has a unique value, new", pattern: "put-member", items: { Member: [cat] }, after: { Team: [three], Member: [ann, bob, cat] } },
  { name: "create without condition of what has a unique value, there", pattern: "put-member", items: { Member: [{ ...ann, mail: "new@x", score: "#12" }] }, after: { Team: [{ ...team, points: "#32" }], Member: [{ ...ann, mail: "new@x", score: "#12" }, bob] } },
  { name: "create without condition, the same again", pattern: "put-member", items: { Member: [ann] }, after: {} },
  { name: "create without condition, without the old unique value", pattern: "put-member", items: { Member: [withoutName(ann, "mail")] }, after: { Member: [withoutName(ann, "mail"), bob] } },
  { name: "create without condition, of no team any more", pattern: "put-member", items: { Member: [withoutName(ann, "teamId")] }, after: { Team: [{ ...team, members: "#1", points: "#20" }], Member: [withoutName(ann, "teamId"), bob] } },
  { name: "create without condition, unique value taken", pattern: "put-member", items: { Member: [{ ...cat, mail: "bob@x" }] }, after: "refused" },
  { name: "the team that counts it is missing", pattern: "join", items: { Member: [{ ...cat, teamId: "t9" }] }, after: "refused" },
  { name: "create with others", pattern: "note-with-member", items: { Member: [cat], Note: [newNote] }, after: { Team: [three], Member: [ann, bob, cat], Note: [note, bare, newNote] } },
  { name: "create with others, refused", pattern: "note-with-member", items: { Member: [ann], Note: [newNote] }, after: "refused" },
  // update
  { name: "update, there", pattern: "set", parameters: { noteId: "n1", text: "b" }, after: { Note: [{ ...note, text: "b" }, bare] } },
  { name: "update of an attribute that was missing", pattern: "set", parameters: { noteId: "n2", text: "b" }, after: { Note: [note, { ...bare, text: "b" }] } },
  { name: "update, nothing there", pattern: "set", parameters: { noteId: "n9", text: "b" }, after: "untried" },
  { name: "update exists, nothing there", pattern: "set-exists", parameters: { noteId: "n9", text: "b" }, after: "refused" },
  { name: "update exists, there", pattern: "set-exists", parameters: { noteId: "n1", text: "b" }, after: { Note: [{ ...note, text: "b" }, bare] } },
  { name: "update with a condition that holds at its bound", pattern: "set-if", parameters: { noteId: "n1", text: "b", size: "#3" }, after: { Note: [{ ...note, text: "b" }, bare] } },
  { name: "update with a condition that does not hold", pattern: "set-if", parameters: { noteId: "n1", text: "b", size: "#3.5" }, after: "refused" },
  { name: "update with a condition on what is missing", pattern: "set-if", parameters: { noteId: "n2", text: "b", size: "#0" }, after: "refused" },
  { name: "update with exists: false that holds", pattern: "set-if-none", parameters: { noteId: "n2", text: "b" }, after: { Note: [note, { ...bare, text: "b" }] } },
  { name: "update with exists: false that does not hold", pattern: "set-if-none", parameters: { noteId: "n1", text: "b" }, after: "refused" },
  { name: "update with exists: false, nothing there", pattern: "set-if-none", parameters: { noteId: "n9", text: "b" }, after: "untried" },
  { name: "update by more than the id, all holds", pattern: "set-and-more", parameters: { noteId: "n1", memberId: "ann", text: "b" }, after: { Note: [{ ...note, text: "b" }, bare] } },
  { name: "update by more than the id, the rest fails", pattern: "set-and-more", parameters: { noteId: "n1", memberId: "bob", text: "b" }, after: "refused" },
  { name: "update of a batch", pattern: "set-many", parameters: { noteId: ["n1", "n2"], text: "b" }, after: { Note: [{ ...note, text: "b" }, { ...bare, text: "b" }]} },
  { name: "update of a batch, one is missing", pattern: "set-many", parameters: { noteId: ["n1", "n9"], text: "b" }, after: "untried" },
  { name: "update of a batch, all are missing", pattern: "set-many", parameters: { noteId: ["n8", "n9"], text: "b" }, after: "refused" },
  { name: "update of several ids, one is missing", pattern: "set-one-of-both", parameters: { notes: ["n1", "n9"], text: "b" }, items: { Note: [newNote] }, after: "refused" },
  { name: "update of one of several ids", pattern: "set-one-of", parameters: { notes: ["n1", "n2"], text: "b" }, after: { Note: [{ ...note, text: "b" }, { ...bare, text: "b" }]} },
  { name: "adds to a number", pattern: "add", parameters: { noteId: "n1" }, after: { Note: [{ ...note, size: "#3.5" }, bare] } },
  { name: "adds to a number that is missing", pattern: "add", parameters: { noteId: "n2" }, after: { Note: [note, { ...bare, size: "#0.5" }] } },
  { name: "removes", pattern: "remove", parameters: { noteId: "n1" }, after: { Note: [{ noteId: "n1", memberId: "ann", size: "#3" }, bare] } },
  { name: "removes what is missing", pattern: "remove", parameters: { noteId: "n2" }, after: { Note: [note, bare] } },
  { name: "appends to a set", pattern: "tag", parameters: { memberId: "bob", tags: [["a", "b"]] }, after: { Member: [ann, { ...bob, tags: ["a", "b"] }] } },
  { name: "appends to a set that is missing", pattern: "tag", parameters: { memberId: "ann", tags: [["b"]] }, after: { Member: [{ ...ann, tags: ["b"] }, bob] } },
  { name: "the version is as it was", pattern: "lock", parameters: { memberId: "ann", revision: "#1", state: "old" }, after: { Member: [{ ...ann, state: "old", revision: "#2" }, bob] } },
  { name: "the version is another one", pattern: "lock", parameters: { memberId: "ann", revision: "#2", state: "old" }, after: "refused" },
  // update of unique values, aggregates and copies
  { name: "unique value changes to a new one", pattern: "set-mail", parameters: { memberId: "ann", mail: "new@x" }, after: { Member: [{ ...ann, mail: "new@x" }, bob] } },
  { name: "unique value stays the same", pattern: "set-mail", parameters: { memberId: "ann", mail: "ann@x" }, after: { Member: [ann, bob] } },
  { name: "unique value is another one's", pattern: "set-mail", parameters: { memberId: "ann", mail: "bob@x" }, after: "refused" },
  { name: "unique value is removed", pattern: "drop-mail", parameters: { memberId: "bob" }, after: { Member: [ann, withoutName(bob, "mail")] } },
  { name: "what is summed changes", pattern: "set-score", parameters: { memberId: "ann", score: "#1.5" }, after: { Team: [{ ...team, points: "#21.5" }], Member: [{ ...ann, score: "#1.5" }, bob] } },
  { name: "a copy changes with its source", pattern: "rename", parameters: { teamId: "t1", label: "blue" }, after: { Team: [{ ...team, label: "blue" }], Member: [{ ...ann, teamLabel: "blue" }, { ...bob, teamLabel: "blue" }]} },
  // delete
  { name: "delete, there", pattern: "delete-note", parameters: { noteId: "n1" }, after: { Note: [bare] } },
  { name: "delete, nothing there", pattern: "delete-note", parameters: { noteId: "n9" }, after: {} },
  { name: "delete exists, nothing there", pattern: "delete-note-exists", parameters: { noteId: "n9" }, after: "refused" },
  { name: "delete with a condition that holds", pattern: "delete-note-if", parameters: { noteId: "n1", text: "hi" }, after: { Note: [bare] } },
  { name: "delete with a condition that does not hold", pattern: "delete-note-if", parameters: { noteId: "n1", text: "ho" }, after: "refused" },
  { name: "delete with a condition, nothing there", pattern: "delete-note-if", parameters: { noteId: "n9", text: "hi" }, after: "refused" },
  { name: "delete by more than the id, the rest fails", pattern: "delete-note-and-more", parameters: { noteId: "n1", memberId: "bob" }, after: "unchanged" },
  { name: "delete by more than the id, nothing there", pattern: "delete-note-and-more", parameters: { noteId: "n9", memberId: "bob" }, after: "unchanged" },
  { name: "delete of what is counted", pattern: "leave", parameters: { memberId: "bob" }, after: { Team: [{ ...team, members: "#1", points: "#10" }], Member: [ann] } },
  { name: "delete of what would be counted, nothing there", pattern: "leave", parameters: { memberId: "zoe" }, after: "refused" },
  { name: "delete with others", pattern: "leave-with", parameters: { memberId: "ann" }, after: { Team: [{ ...team, members: "#1", points: "#20" }], Member: [bob], Note: [] } },
  { name: "delete with others, refused", pattern: "leave-with", parameters: { memberId: "zoe" }, after: "refused" },
  // check and transactions
  { name: "check exists, there", pattern: "check-exists", parameters: { memberId: "ann" }, items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "check exists, nothing there", pattern: "check-exists", parameters: { memberId: "zoe" }, items: { Note: [newNote] }, after: "refused" },
  { name: "check exists, and the create is refused", pattern: "check-exists", parameters: { memberId: "ann" }, items: { Note: [note] }, after: "refused" },
  { name: "check absent, nothing there", pattern: "check-absent", parameters: { memberId: "zoe" }, items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "check absent, there", pattern: "check-absent", parameters: { memberId: "ann" }, items: { Note: [newNote] }, after: "refused" },
  { name: "check of attributes, nothing there", pattern: "check-where", parameters: { memberId: "zoe" }, items: { Note: [newNote] }, after: "refused" },
  { name: "check of exists: false, nothing there", pattern: "check-no-mail", parameters: { memberId: "zoe" }, items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "check of exists: false, it has one", pattern: "check-no-mail", parameters: { memberId: "ann" }, items: { Note: [newNote] }, after: "refused" },
  { name: "two items in a transaction", pattern: "two", parameters: { noteId: "n1", new: "b", other: "n2" }, after: { Note: [{ ...note, text: "b" }] } },
  { name: "the same check twice in a transaction", pattern: "check-many", parameters: { memberId: ["ann", "ann"] }, items: { Note: [newNote] }, after: { Note: [note, bare, newNote] } },
  { name: "one item twice in a transaction", pattern: "two", parameters: { noteId: "n1", new: "b", other: "n1" }, after: "refused" },
  { name: "a unique value moves in a transaction", pattern: "move-mail", parameters: { memberId: "ann", other: "bob", mail: "ann@x" }, after: { Member: [withoutName(ann, "mail"), { ...bob, mail: "ann@x" }] } },
  { name: "several items of a step", pattern: "two-notes", parameters: { memberId: "ann" }, items: { Note: [newNote, { ...newNote, noteId: "n4" }] }, after: { Note: [note, bare, newNote, { ...newNote, noteId: "n4" }] } },
  { name: "several items of a step, one taken", pattern: "two-notes", parameters: { memberId: "ann" }, items: { Note: [newNote, note] }, after: "refused" },
];

function withoutName(values: Plain, name: string): Plain {
  return Object.fromEntries(Object.entries(values).filter(([one]) => one !== name));
}

function parametersOf(parameters: Row["parameters"] = {}): Map<string, AttributeValue[]> {
  return new Map(
    Object.entries(parameters).map(([name, given]) => [
      name,
      Array.isArray(given)
        ? given.map((one: Plain[string]) => attributeValue(one))
        : [attributeValue(given as Plain[string])],
    ]),
  );
}

const plainOf = (state: State): PlainState =>
  Object.fromEntries([...state].map(([name, list]) => [name, list.map(plain)]));

describe("what a write does, by the table of the model reference", () => {
  test.each(rows)("$name ($pattern)", ({ pattern: id, parameters, items = {}, after }) => {
    const pattern = model.patterns.get(id);
    if (pattern === undefined) throw new Error(`there is no pattern ${id}`);
    const inputs = {
      parameters: parametersOf(parameters),
      items: (name: string) => (items[name] ?? []).map(entity),
    };
    const effect = effectOf(model, pattern, inputs, stateOf(before));
    const found = effect.kind === "done" ? plainOf(effect.state) : effect.kind;
    expect(found).toEqual(typeof after === "string" ? after : { ...before, ...after });
  });

  test("leaves open what becomes of a number that DynamoDB cannot store", () => {
    const most = "9".repeat(38);
    const state = stateOf({ ...before, Note: [{ ...note, size: `#${most}` }] });
    const pattern = model.patterns.get("add");
    const inputs = { parameters: parametersOf({ noteId: "n1" }), items: () => [] };
    expect(pattern && effectOf(model, pattern, inputs, state).kind).toBe("untried");
  });
});

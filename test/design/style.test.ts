import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing, modelDesignOutput } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 240_000;

/** Members with a unique address, their posts, and comments that are numbered within their post. */
const forum = (more = ""): string => `keywright: 1
name: small-forum
entities:
  Member:
    id: [memberId]
    count: 100_000
    attributes:
      memberId: { type: S, format: ulid }
      email: { type: S, bytes: 30, unique: true }
      city: { type: S, bytes: 12, present: 0.2, distinct: 5_000 }
  Post:
    id: [postId]
    count: 20_000_000
    attributes:
      postId: { type: S, format: ulid }
      memberId: { type: S, format: ulid, mutable: false }
      score: { type: N, digits: 6 }
      state: { type: S, values: { live: 0.97, held: 0.03 } }
      text: { type: S, bytes: 700 }
  Comment:
    id: [postId, number]
    count: 60_000_000
    attributes:
      postId: { type: S, format: ulid }
      number: { type: N, digits: 5 }
      memberId: { type: S, format: ulid, mutable: false }
      sentAt: { type: N, format: epoch-seconds, mutable: false }
      text: { type: S, bytes: 300 }
${more.includes("entity ") ? more.replace("entity ", "") : ""}relations:
  - { from: Member, to: Post, kind: one-to-many, average: 200, max: 5_000 }
  - { from: Post, to: Comment, kind: one-to-many, average: 3, max: 500, identifying: true }
  - { from: Member, to: Comment, kind: one-to-many, average: 600, max: 9_000 }
patterns:
  member: { name: A member, read: Member, where: { memberId: equals }, rps: 50 }
  byEmail: { name: By address, read: Member, where: { email: equals }, rps: 5 }
  inCity: { name: In a city, read: Member, where: { city: equals }, limit: 20, returns: [memberId, city], rps: 5 }
  post: { name: A post, read: Post, where: { postId: equals }, rps: 50 }
  best: { name: The best of a member, read: Post, where: { memberId: equals }, order: { score: descending }, limit: 10, rps: 40 }
  held: { name: What is held, read: Post, where: { state: { equals: held } }, limit: 20, returns: [postId, memberId], rps: 20 }
  comments: { name: Comments of a post, read: Comment, where: { postId: equals }, order: { number: ascending }, limit: all, rps: 60 }
  said: { name: What a member said, read: Comment, where: { memberId: equals, sentAt: at-least }, order: { sentAt: descending }, limit: 20, rps: 40 }
  join: { name: Join, create: Member, condition: absent, rps: 1 }
  write: { name: Write, create: Post, condition: absent, rps: 3 }
  rate: { name: Rate, update: Post, where: { postId: equals }, changes: [score], rps: 2 }
  hold: { name: Hold, update: Post, where: { postId: equals }, changes: [state], rps: 1 }
  say: { name: Say, create: Comment, condition: absent, rps: 5 }
`;

async function designed(text: string, options: Parameters<typeof designModel>[2]) {
  const design = await designModel(text, "forum.yaml", options);
  expect(design.refused).toEqual([]);
  expect(design.complaints).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "forum.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  return design;
}

const generic = { now, style: "generic" } as const;

test("one table for all: keys of their own, and as few indexes as one entity needs", {
  timeout,
}, async () => {
  const design = await designed(forum(), generic);
  const { tables = {}, style, decisions = [] } = design.designed?.design ?? {};
  expect(style).toBe("generic");
  expect(tables).toMatchObject({
    SmallForum: {
      key: { PK: "S", SK: "S" },
      entities: {
        Member: { key: { PK: "MEMBER#{memberId}", SK: "#MEMBER" } },
        Post: { key: { PK: "POST#{postId}", SK: "#POST" } },
        Comment: { key: { PK: "COMMENT#{postId}", SK: "{number|pad:5}" } },
      },
      unique: [{ entity: "Member", key: { PK: "MEMBEREMAIL#{email}", SK: "#MEMBEREMAIL" } }],
    },
  });
  const indexes = tables.SmallForum?.indexes ?? {};
  expect(Object.keys(tables)).toEqual(["SmallForum"]);
  expect(Object.keys(indexes)).toEqual(["GSI1", "GSI2"]);
  const made = Object.values(indexes).flatMap(({ sets = {} }) =>
    Object.values(sets).map((one) => Object.values(one)),
  );
  expect(made.toSorted()).toEqual(
    [
      ["COMMENT#{memberId}", "{sentAt|pad:10}"],
      ["MEMBER#{city}", "#"],
      ["POST"],
      ["POST#{memberId}", "{score|pad:6}"],
    ].toSorted(),
  );
  const only = Object.values(indexes).flatMap((one) => Object.entries(one.only ?? {}));
  expect(Object.fromEntries(only)).toEqual({
    Member: { city: { exists: true } },
    Post: { state: { equals: "held" } },
  });
  const natural = design.designed?.natural ?? Number.NaN;
  const more = (design.designed?.total ?? Number.NaN) - natural;
  expect(decisions[0]).toMatchObject({
    about: "design.style",
    rejected: [{ what: "natural names: 4 tables, 4 indexes" }],
  });
  expect(decisions[0]?.rejected?.[0]?.perMonth).toBeCloseTo(-more, 2);
  expect(modelDesignOutput(design, "text")).toMatch(
    /^\$[\d.,]+ a month: 1 table, 2 indexes, in generic style, as asked for\.\nThat is \$[\d.,]+ more than with natural names/,
  );
});

test("what somebody reads as a whole, and what expires otherwise, has a table of its own", {
  timeout,
}, async () => {
  const visits = `entity   Visit:
    id: [memberId, visitedAt]
    count: 50_000
    retention: 7d
    attributes: { memberId: { type: S, format: ulid }, visitedAt: { type: S, format: iso-time }, expiresAt: { type: N, format: epoch-seconds, mutable: false } }
  Ban:
    id: [word]
    count: 200
    attributes: { word: { type: S, bytes: 9 }, expiresAt: { type: S, bytes: 4 } }
  Tag:
    id: [tag]
    count: 50
    attributes: { tag: { type: S, bytes: 9 } }
  Digest:
    id: [hash]
    count: 1_000
    attributes: { hash: { type: B, bytes: 32 } }
  Device:
    id: [deviceId]
    count: 1_000
    attributes: { deviceId: { type: S, format: ulid }, publicKey: { type: B, bytes: 32, unique: true } }
`;
  const text = `${forum(visits)}  visits: { name: Visits, read: Visit, where: { memberId: equals }, limit: all, rps: 5 }
  visit: { name: Visit, create: Visit, rps: 2 }
  ban: { name: A ban, read: Ban, where: { word: equals }, rps: 5 }
  tags: { name: All tags, read: Tag, limit: all, rps: 1 }
  digest: { name: A digest, read: Digest, where: { hash: equals }, rps: 5 }
  enrol: { name: A device, create: Device, condition: absent, rps: 5 }
`;
  const { designed: found } = await designed(text, generic);
  const { tables = {}, decisions = [] } = found?.design ?? {};
  expect(Object.keys(tables)).toEqual([
    "SmallForum",
    "Bans",
    "Tags",
    "Digests",
    "Devices",
    "DevicePublicKeys",
  ]);
  expect(tables.SmallForum).toMatchObject({ ttl: "expiresAt", entities: { Visit: {} } });
  const reasons = decisions.filter(({ chosen }) => chosen.startsWith("a table of its own"));
  expect(reasons.map(({ about, why }) => [about, why])).toEqual([
    ["design.tables.Bans", "its expiresAt must not make it expire"],
    ["design.tables.Tags", "pattern tags reads all of it"],
    ["design.tables.Digests", "its key cannot be written as a text that sorts alike"],
    ["design.tables.Devices", "bytes that are unique cannot be a part of a text"],
  ]);
});

test("a key that counts by itself stays as it is", { timeout }, async () => {
  const text = forum().replace("changes: [score]", "adds: { score: 1 }");
  const { designed: found } = await designed(text, generic);
  const { tables = {}, decisions = [] } = found?.design ?? {};
  expect(Object.keys(tables.SmallForum?.indexes ?? {})).toEqual(["GSI1", "PostsByMember"]);
  expect(tables.SmallForum?.indexes?.PostsByMember).toMatchObject({
    key: { partition: "memberId", sort: "score" },
  });
  const [why] = decisions.filter(({ chosen }) => chosen.startsWith("an index of its own"));
  expect(why?.why).toBe("pattern rate would take more than with natural keys");
});

const small = `keywright: 1
name: notes
entities:
  Note:
    id: [noteId]
    count: 10_000
    attributes: { noteId: { type: S, format: ulid }, pk: { type: S, bytes: 9 }, PK: { type: S, bytes: 9, mutable: false } }
patterns:
  note: { name: A note, read: Note, where: { noteId: equals }, rps: 5 }
  write: { name: Write, create: Note, condition: absent, rps: 5 }
`;

test("a design that is replaced keeps its style, and names that are taken are left alone", {
  timeout,
}, async () => {
  const first = await designed(small, generic);
  expect(first.designed?.design.tables.Notes?.key).toEqual({ PK2: "S", SK: "S" });
  const again = await designed(first.text ?? "", { now, replace: true });
  expect(again.designed?.design.tables).toEqual(first.designed?.design.tables);
  const natural = await designed(first.text ?? "", { now, replace: true, style: "natural" });
  expect(natural.designed?.design.tables.Notes?.key).toEqual({ noteId: "S" });
  expect(natural.designed?.natural).toBeUndefined();
});

const isLong = process.env.KEYWRIGHT_LONG !== undefined;
const all = readdirSync("examples/models").filter((name) => name.endsWith(".yaml"));
// In this one an index gets too hot where it is shared.
const examples = isLong ? all : ["social-network.yaml"];

test.each(examples)(
  "an example in generic style is proved, and not too hot: %s",
  {
    timeout,
  },
  async (name) => {
    const text = readFileSync(`examples/models/${name}`, "utf8");
    const design = await designModel(text, name, { ...generic, replace: true });
    expect(design.refused).toEqual([]);
    expect(isFailing(design)).toBe(false);
    expect(design.checks?.wrong).not.toContain("hot-partitions");
  },
);

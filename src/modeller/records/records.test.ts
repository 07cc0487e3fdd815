import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import { Facts } from "../facts.ts";
import type { StoredRecord } from "./record.ts";

const requirements = `keywright: 1
name: records
entities:
  Person:
    id: [personId]
    count: 1_000
    attributes:
      personId: { type: S, bytes: 10 }
      mail: { type: S, bytes: { min: 10, max: 20 }, unique: true }
      state: { type: S, values: { on: 0.25, paused: 0.75 } }
      photo: { type: B, bytes: 500, present: 0.2 }
      song: { type: B, bytes: 300, present: 0.5 }
      visits: { type: N, digits: 4 }
  Post:
    id: [postId, version]
    count: 8_000
    attributes:
      postId: { type: S, format: uuid }
      version: { type: N, digits: 3 }
      authorId: { type: S, bytes: 10, mutable: false }
      day: { type: S, format: iso-date, mutable: false }
      city: { type: S, bytes: 8, distinct: 400 }
      country: { type: S, bytes: 2, distinct: 50 }
  Mark:
    id: [postId, word]
    count: 3_000
    attributes:
      postId: { type: S, format: uuid }
      word: { type: S, bytes: 5 }
      weight: { type: N, digits: 2, present: 0.5 }
relations:
  - { from: Person, to: Post, kind: one-to-many, average: 8 }
patterns:
  p: { name: P, read: Person, where: { personId: equals }, rps: { average: 1, peak: 1 } }
`;

function factsOf(design: string, more = ""): Facts {
  return new Facts(modelOf(`${requirements}${more}design:\n  tables:\n${design}`));
}

function named(facts: Facts, name: string): StoredRecord {
  const found = facts.records.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not stored`);
  return found;
}

const people = `    People:
      key: { PK: S, SK: S }
      discriminator: kind
      entities:
        Person:
          key: { PK: "P#{personId}", SK: A }
          names: { visits: v }
          split: [{ name: media, key: { PK: "P#{personId}", SK: M }, attributes: [photo, song] }]
      unique: [{ entity: Person, attribute: mail, key: { PK: "M#{mail|lower}", SK: M } }]
      indexes:
        Onn: { key: { partition: onKey }, projection: [visits], sets: { Person: { onKey: "ON#{personId}" } }, only: { Person: { state: { equals: on } } } }
        Inverse: { key: { partition: SK, sort: PK }, projection: keys }
`;

describe("what is stored", () => {
  const facts = factsOf(people);

  test("an item, its parts and its guards, under their names in the table", () => {
    expect(facts.records.map(({ name, role }) => `${role} ${name}`)).toEqual([
      "item Person",
      "split Person.media",
      "unique Person.mail",
    ]);
    const names = (record: string): readonly string[] =>
      named(facts, record).attributes.map(({ name }) => name);
    expect(names("Person")).toEqual([
      "PK",
      "SK",
      "kind",
      "personId",
      "mail",
      "state",
      "v",
      "onKey",
    ]);
    expect(names("Person.media")).toEqual(["PK", "SK", "kind", "personId", "photo", "song"]);
    expect(names("Person.mail")).toEqual(["PK", "SK", "kind", "personId"]);
  });

  test("every item is in an index over the table's key, and only some in a sparse one", () => {
    expect(
      facts.records.map(({ name, memberships }) => [
        name,
        memberships.map(({ index }) => index.name),
      ]),
    ).toEqual([
      ["Person", ["Onn", "Inverse"]],
      ["Person.media", ["Inverse"]],
      ["Person.mail", ["Inverse"]],
    ]);
    const [on] = named(facts, "Person").memberships;
    expect(on?.attributes.map(({ name }) => name)).toEqual(["onKey", "PK", "SK", "v"]);
    expect(on && facts.shareIn(named(facts, "Person").entity, on).value).toBe(0.25);
  });

  test("sizes: names and values, and what is there only sometimes", () => {
    // PK 2+12, SK 2+1, kind 4+6, personId 8+10, mail 4+15 on average, state 5 + 0.25×2 + 0.75×6, v 1+3,
    // onKey 5+13 in a quarter of them.
    const mean = 14 + 3 + 10 + 18 + 19 + 10 + 4 + 18 / 4;
    expect(facts.sizes.item(named(facts, "Person"))?.mean).toBeCloseTo(mean, 9);
    // PK, SK, kind, personId, and of photo and song at least one: 0.2/0.6 and 0.5/0.6.
    const media = 14 + 3 + 10 + 18 + (505 * 0.2) / 0.6 + (304 * 0.5) / 0.6;
    expect(facts.sizes.item(named(facts, "Person.media"))?.mean).toBeCloseTo(media, 9);
    expect(facts.count(named(facts, "Person.media"))?.value).toBeCloseTo(600, 9);
    // PK 2+17, SK 3, kind 4+11, personId 18.
    expect(facts.sizes.item(named(facts, "Person.mail"))?.mean).toBeCloseTo(55, 9);
    const [on] = named(facts, "Person").memberships;
    // onKey 18, PK 14, SK 3, v 4.
    expect(on && facts.sizes.entry(named(facts, "Person"), on)?.mean).toBeCloseTo(39, 9);
  });
});

test("two sparse indexes by one attribute: every entry of either has it", () => {
  const sparse = (more: string): string =>
    `{ key: { partition: onKey${more} }, projection: keys, sets: { Person: { onKey: "1" } }, only: { Person: { state: { equals: on } } } }`;
  const facts = factsOf(`    People:
      key: { personId: S }
      entities: { Person: { key: { personId: "{personId}" } } }
      indexes:
        First: ${sparse("")}
        Second: ${sparse(", sort: personId")}
`);
  const person = named(facts, "Person");
  // onKey 5+1, personId 8+10; an item has onKey in a quarter of all cases, once for both.
  expect(person.memberships.map((one) => facts.sizes.entry(person, one)?.mean)).toEqual([24, 24]);
  expect(person.attributes.filter(({ name }) => name === "onKey")).toHaveLength(1);
});

test("the copy of the newest version is stored once for all versions", () => {
  const facts = factsOf(`    Posts:
      key: { PK: S, SK: S }
      entities: { Post: { key: { PK: "{postId}", SK: "V#{version|pad:3}" } } }
      versioning: { entity: Post, attribute: version, latest: copy, key: { PK: "{postId}", SK: V } }
`);
  const latest = named(facts, "Post (latest)");
  expect(latest.role).toBe("latest");
  // Nobody says how many versions a post has, so it may be that each has one.
  expect(facts.count(latest)?.value).toBeLessThanOrEqual(8_000);
});

test("an entity inside another: a list of maps", () => {
  const facts = factsOf(
    `    Posts:
      key: { PK: S }
      entities: { Post: { key: { PK: "{postId}#{version|pad:3}" }, embeds: [{ entity: Mark, as: marks }] } }
`,
  );
  expect(facts.hostsOf("Mark").map(({ name }) => name)).toEqual(["Post"]);
  expect(facts.itemsOf("Mark")).toEqual([]);
});

describe("how many there are", () => {
  const facts = factsOf(people);
  const { cardinality, model } = facts;
  const entity = (name: string) => {
    const found = model.entities.get(name);
    if (found === undefined) throw new Error(`${name} is no entity`);
    return found;
  };
  const per = (name: string, ...attributes: string[]): number | undefined =>
    cardinality.itemsPer(entity(name), attributes)?.value;

  test("by an id, a unique value, a parent under another name", () => {
    expect(per("Person", "personId")).toBe(1);
    expect(per("Person", "mail")).toBe(1);
    expect(cardinality.parentOf(entity("Post"), "authorId")?.name).toBe("Person");
    expect(per("Post", "authorId")).toBe(8);
    expect(per("Post", "postId", "version")).toBe(1);
  });

  test("by values, stated numbers and several at once", () => {
    expect(per("Person", "state")).toBe(500);
    expect(per("Post", "city")).toBe(20);
    expect(per("Post", "country")).toBe(160);
    // Independent, they would leave 0.4 of an item: a city lies in one country.
    expect(per("Post", "city", "country")).toBe(20);
  });

  test("days: those that are kept, or of a year", () => {
    const day = entity("Post").attributes.get("day");
    expect(day && cardinality.distinct(entity("Post"), day)).toMatchObject({
      value: 365,
      assumed: true,
    });
  });

  test("what nobody can know is not made up", () => {
    const word = entity("Mark").attributes.get("word");
    expect(word && cardinality.distinct(entity("Mark"), word)).toBeUndefined();
  });
});

test("the bytes of what lies inside: 3 for the list, for each map 1 and 3, and 1 for each of its members", () => {
  const facts = factsOf(
    `    Posts:
      key: { PK: S }
      entities: { Person: { key: { PK: "{personId}" }, stores: [personId], embeds: [{ entity: Post, as: posts }] } }
`,
  );
  // postId 6+36, version 7+3, day 3+10, city 4+8, country 7+2: the author is known from outside.
  const post = 42 + 10 + 13 + 12 + 9;
  // PK 2+10, personId 8+10, posts 5 and eight of them.
  expect(facts.sizes.item(named(facts, "Person"))?.mean).toBe(
    12 + 18 + 5 + 3 + 8 * (1 + 3 + 5 + post),
  );
});

test("what lies in a map has a name besides, and a single one is there or not", () => {
  const facts = factsOf(
    `    Posts:
      key: { PK: S }
      entities: { Person: { key: { PK: "{personId}" }, stores: [personId], embeds: [{ entity: Post, as: posts, by: postId }] } }
`,
  );
  const post = 42 + 10 + 13 + 12 + 9;
  expect(facts.sizes.item(named(facts, "Person"))?.mean).toBe(
    12 + 18 + 5 + 3 + 8 * (36 + 1 + 3 + 5 + post),
  );
  const single = factsOf(
    `    Posts:
      key: { PK: S }
      entities: { Person: { key: { PK: "{personId}" }, stores: [personId], embeds: [{ entity: Post, as: posts, one: true }] } }
`,
  );
  // There are more posts than persons, so every person has one.
  expect(single.sizes.item(named(single, "Person"))?.mean).toBe(12 + 18 + 5 + 3 + 5 + post);
});

test("both ends of a relation of many to many", () => {
  const facts = new Facts(
    modelOf(`keywright: 1
name: both
entities:
  User: { id: [userId], count: 500, attributes: { userId: { type: S, bytes: 9 } } }
  Group: { id: [groupId], count: 50, attributes: { groupId: { type: S, bytes: 9 } } }
  Member: { id: [userId, groupId], count: 2_000, attributes: { userId: { type: S, bytes: 9 }, groupId: { type: S, bytes: 9 } } }
  Follow: { id: [fromId, toId], count: 5_000, attributes: { fromId: { type: S, bytes: 9 }, toId: { type: S, bytes: 9 } } }
relations:
  - { from: User, to: Group, kind: many-to-many, via: Member, average: 4, reverse: { average: 40 } }
  - { from: User, to: User, kind: many-to-many, via: Follow, average: 10, reverse: { average: 11 } }
patterns:
  p: { name: P, read: User, where: { userId: equals }, rps: { average: 1, peak: 1 } }
`),
  );
  const per = (name: string, attribute: string): number | undefined => {
    const entity = facts.model.entities.get(name);
    return entity && facts.cardinality.itemsPer(entity, [attribute])?.value;
  };
  expect([per("Member", "userId"), per("Member", "groupId")]).toEqual([4, 40]);
  expect([per("Follow", "fromId"), per("Follow", "toId")]).toEqual([10, 11]);
});

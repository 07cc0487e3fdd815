import { describe, expect, test } from "vitest";
import type { AttributeValue } from "../../item/attribute-value.ts";
import { itemSize, valueSize } from "../../item/size.ts";
import { examples, modelOf } from "../../model/model.test-support.ts";
import type { Model } from "../../model/model.ts";
import { Facts } from "../facts.ts";
import { attributeBytes } from "../sizes/attribute-size.ts";
import type { EntityValues } from "./render-key.ts";
import { everything } from "./sample.test-support.ts";
import { type Sample, type SampleOptions, sampleOf } from "./sample.ts";
import { timeOf } from "./time-of.ts";

const now = Date.UTC(2026, 10, 16, 12);
const models: readonly (readonly [string, Model])[] = [
  ...examples.map(([file, text]) => [file, modelOf(text)] as const),
  ["everything", everything],
];
const text = (value: AttributeValue | undefined): string => JSON.stringify(value);
const valuesOf = (sample: Sample, entity: string): readonly EntityValues[] =>
  (sample.entities.get(entity) ?? []).map(({ values }) => values);
const number = (value: AttributeValue | undefined): number =>
  value !== undefined && "N" in value ? Number(value.N) : Number.NaN;

function keyOf(model: Model, table: string): readonly string[] {
  const found = model.design?.tables.get(table);
  return [found?.partition.name ?? "", ...(found?.sort === undefined ? [] : [found.sort.name])];
}

/** Numbers that count what is there cannot have as many digits as are stated. */
function isCounted(model: Model, entity: string, attribute: string): boolean {
  return [...(model.design?.tables.values() ?? [])].some(
    ({ versioning, aggregates }) =>
      (versioning?.entity === entity && versioning.attribute === attribute) ||
      aggregates.some(
        ({ into, by }) =>
          into.entity === entity && into.attribute === attribute && by === "transaction",
      ),
  );
}

/** Items of which the size is known to the byte. */
const exact = { count: 0 };

describe.each(models)("a sample of %s", (_, model) => {
  const sample = sampleOf(model, { now });

  test("is the same for the same seed and moment, and another for another seed", () => {
    const items = JSON.stringify(sample.items);
    expect(JSON.stringify(sampleOf(model, { now, seed: 1 }).items)).toBe(items);
    expect(JSON.stringify(sampleOf(model, { now, seed: 2 }).items)).not.toBe(items);
  });

  test("has some of every entity, and not too many items", () => {
    for (const entity of model.entities.keys()) {
      expect(valuesOf(sample, entity).length, entity).toBeGreaterThan(0);
    }
    expect(sample.items.length).toBeGreaterThan(400);
    expect(sample.items.length).toBeLessThanOrEqual(1_005);
    expect(sampleOf(model, { now, items: 150 }).items.length).toBeLessThanOrEqual(155);
    const keys = sample.items.map(({ table, period, item }) => {
      const key = keyOf(model, table);
      return JSON.stringify([table, period, ...key.map((name) => item[name])]);
    });
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("has ids and unique values once", () => {
    for (const entity of model.entities.values()) {
      const all = valuesOf(sample, entity.name);
      const ids = all.map((values) => JSON.stringify(entity.id.map((id) => values.get(id))));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.join()).not.toContain("null");
      for (const { name } of [...entity.attributes.values()].filter(({ unique }) => unique)) {
        const own = all.flatMap((values) => values.get(name) ?? []).map(text);
        expect(new Set(own.map((one) => one.toLowerCase())).size).toBe(own.length);
      }
    }
  });

  test("has values exactly as large as stated, and as often", () => {
    for (const entity of model.entities.values()) {
      const all = valuesOf(sample, entity.name);
      for (const attribute of entity.attributes.values()) {
        const { name, size, present, copyOf } = attribute;
        const own = all.flatMap((values) => values.get(name) ?? []);
        const where = `${entity.name}.${name}`;
        const isAway = [...(model.design?.tables.values() ?? [])].some(({ placements }) =>
          placements.get(entity.name)?.elsewhere.some((one) => one.attribute === name),
        );
        expect(own.length, where).toBeCloseTo(isAway ? 0 : all.length * present.value, -0.5);
        const bytes = attributeBytes(attribute);
        if (bytes === undefined || size === undefined || isCounted(model, entity.name, name))
          continue;
        const sizes = own.map(valueSize);
        for (const one of sizes) {
          expect(one, where).toBeGreaterThanOrEqual(bytes.min);
          expect(one, where).toBeLessThanOrEqual(bytes.max);
        }
        if (own.length < 60 || copyOf !== undefined || attribute.distinct !== undefined) continue;
        const mean = sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
        expect(Math.abs(mean - bytes.mean) / bytes.mean, where).toBeLessThan(0.05);
      }
    }
  });

  test("has items as large as the estimate says", () => {
    const facts = new Facts(model);
    const kinds = { main: "item", split: "split", unique: "unique", latest: "latest" } as const;
    for (const { table, entity, kind, item } of sample.items) {
      const records = facts.records.filter(
        (one) => one.table.name === table && one.entity.name === entity && one.role === kinds[kind],
      );
      const fits = records.some((record) => {
        const size = facts.sizes.item(record);
        if (size === undefined) return true;
        const counted = record.attributes.flatMap(({ name, content }) =>
          content.kind === "attribute" && isCounted(model, entity, content.attribute.name)
            ? [valueSize(item[name] as AttributeValue) - attributeMean(content.attribute)]
            : [],
        );
        const hasEmbedded = record.attributes.some(({ content }) => content.kind === "embedded");
        const own = itemSize(item) - counted.reduce((sum, one) => sum + one, 0);
        if (size.min === size.max) exact.count += 1;
        return hasEmbedded || (own >= size.min && own <= size.max);
      });
      expect(fits, JSON.stringify(item)).toBe(true);
    }
  });

  test("shares its values out as stated", () => {
    for (const entity of model.entities.values()) {
      const all = valuesOf(sample, entity.name);
      for (const { name, values, present, copyOf } of entity.attributes.values()) {
        if (values === undefined || copyOf !== undefined || entity.id.includes(name)) continue;
        for (const { value, share } of values) {
          const own = all.filter((one) => {
            const found = one.get(name);
            return found !== undefined && Object.values(found)[0] === String(value);
          });
          const expected = all.length * share * present.value;
          expect(
            Math.abs(own.length - expected),
            `${entity.name}.${name} ${value}`,
          ).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test("refers only to what is there", () => {
    for (const entity of model.entities.values()) {
      for (const other of model.entities.values()) {
        const [id = ""] = other.id;
        const attribute = entity.attributes.get(id);
        if (other === entity || other.id.length > 1 || attribute === undefined) continue;
        if (entity.id.length === 1 && entity.id[0] === id) continue;
        const known = new Set(valuesOf(sample, other.name).map((values) => text(values.get(id))));
        for (const values of valuesOf(sample, entity.name)) {
          if (values.has(id)) expect(known, `${entity.name}.${id}`).toContain(text(values.get(id)));
        }
      }
    }
  });

  test("lies near the moment, and what expires does so later", () => {
    for (const entity of model.entities.values()) {
      const ttl = [...(model.design?.tables.values() ?? [])].filter(({ ttl: one }) =>
        one?.entities.includes(entity.name),
      );
      for (const attribute of entity.attributes.values()) {
        const isExpiry = ttl.some((table) => table.ttl?.attribute === attribute.name);
        for (const values of valuesOf(sample, entity.name)) {
          const time = timeOf(attribute, values.get(attribute.name));
          if (time === undefined) continue;
          const days = Math.abs(time - now) / 86_400_000;
          expect(days, `${entity.name}.${attribute.name}`).toBeLessThan(
            /birth/i.test(attribute.name) ? 30_000 : 1_100,
          );
          if (isExpiry) expect(time).toBeGreaterThan(now);
        }
      }
    }
  });
});

function attributeMean(attribute: Parameters<typeof attributeBytes>[0]): number {
  return attributeBytes(attribute)?.mean ?? 0;
}

describe("a sample", () => {
  test("was held against sizes that are known to the byte", () => {
    expect(exact.count).toBeGreaterThan(1_000);
  });

  const sample = sampleOf(everything, { now });
  const teams = valuesOf(sample, "Team");
  const people = valuesOf(sample, "Person");

  test("gives every parent its fan-out, and mixes fractions", () => {
    const counts = (entity: string) =>
      teams.map((team) => {
        const own = valuesOf(sample, entity).filter(
          (one) => text(one.get("teamId")) === text(team.get("teamId")),
        );
        return own.length;
      });
    expect(new Set(counts("Person"))).toEqual(new Set([8]));
    expect(new Set(counts("Visit"))).toEqual(new Set([2, 3]));
    const visits = counts("Visit").reduce((sum, one) => sum + one, 0);
    expect(Math.abs(visits - teams.length * 2.5)).toBeLessThanOrEqual(1);
    expect(sample.cuts).toEqual([]);
  });

  test("keeps numbers that transactions keep", () => {
    for (const team of teams) {
      const own = people.filter((one) => text(one.get("teamId")) === text(team.get("teamId")));
      expect(team.get("headCount")).toEqual({ N: String(own.length) });
      const sum = own.reduce((all, one) => all + number(one.get("salary")), 0);
      expect(team.get("payroll")).toEqual({ N: String(sum) });
    }
  });

  test("copies what is a copy, also from a child", () => {
    const social = modelOf(examples.find(([file]) => file === "social-network.yaml")?.[1] ?? "");
    const made = sampleOf(social, { now });
    const names = new Map(
      valuesOf(made, "Person").map((one) => [text(one.get("personId")), one.get("name")]),
    );
    for (const follow of valuesOf(made, "Follow")) {
      expect(follow.get("followedName")).toEqual(names.get(text(follow.get("followedId"))));
      expect(follow.get("followedId")).not.toEqual(follow.get("followerId"));
    }
    for (const team of teams.filter((one) => one.has("captainName"))) {
      const own = people.filter((one) => text(one.get("teamId")) === text(team.get("teamId")));
      expect(own.map((one) => one.get("name"))).toContainEqual(team.get("captainName"));
    }
  });

  test("refers to others of the same kind, within the same parent", () => {
    const known = new Set(people.map((one) => text(one.get("personId"))));
    const managed = people.filter((one) => one.has("managerId"));
    expect(managed).toHaveLength(Math.round(people.length * 0.75));
    for (const one of managed) {
      expect(known).toContain(text(one.get("managerId")));
      expect(one.get("managerId")).not.toEqual(one.get("personId"));
      const manager = people.find(
        (other) => text(other.get("personId")) === text(one.get("managerId")),
      );
      expect(manager?.get("teamId")).toEqual(one.get("teamId"));
    }
  });

  test("numbers versions from one on and copies the newest", () => {
    const versions = new Map<string, EntityValues[]>();
    for (const page of valuesOf(sample, "Page")) {
      const id = text(page.get("pageId"));
      versions.set(id, [...(versions.get(id) ?? []), page]);
    }
    for (const own of versions.values()) {
      expect(own.map((one) => number(one.get("version"))).toSorted()).toEqual(
        own.map((_, i) => i + 1),
      );
    }
    const latest = sample.items.filter(({ kind }) => kind === "latest");
    expect(latest).toHaveLength(versions.size);
    for (const { item } of latest) {
      const own = versions.get(text(item.pageId)) ?? [];
      expect(number(item.version)).toBe(own.length);
      expect(item.sk).toEqual({ S: "LATEST" });
    }
  });

  test("cuts fan-outs that are too large, and says so", () => {
    const devices = modelOf(examples.find(([file]) => file === "device-readings.yaml")?.[1] ?? "");
    const { cuts, entities } = sampleOf(devices, { now });
    const made = (entities.get("Reading")?.length ?? 0) / (entities.get("Device")?.length ?? 1);
    expect(cuts).toEqual([{ from: "Device", to: "Reading", stated: 250_000, made }]);
    expect(made).toBeGreaterThan(10);
  });

  test("makes many of what it is about, and of whom they belong to, and few of the others", () => {
    const documents = modelOf(examples.find(([file]) => file === "documents.yaml")?.[1] ?? "");
    const counts = (more: Partial<SampleOptions>): readonly number[] => {
      const { entities } = sampleOf(documents, { now, items: 3_000, ...more });
      return ["Draft", "Document", "Revision"].map((name) => entities.get(name)?.length ?? 0);
    };
    const [few = 0] = counts({});
    const [drafts = 0, owners = 0, revisions = 0] = counts({
      about: { entities: new Set(["Draft"]), fanOutMax: 12 },
    });
    expect(few).toBeLessThan(5);
    expect(drafts).toBeGreaterThan(3 * few);
    expect(drafts / owners).toBeCloseTo(0.01, 2);
    // Not the nine that the document says.
    expect(revisions).toBeLessThanOrEqual(owners);
    const [each, all] = counts({
      about: { entities: new Set(["Draft"]), fanOutMax: 12, fanOutMin: 1 },
    });
    expect(each).toBe(all);
  });

  test("is as small for entities that are stored nowhere yet", () => {
    const text = examples.find(([file]) => file === "online-shop.yaml")?.[1] ?? "";
    const [requirements = ""] = text.split(/^design:/m);
    const { entities, items } = sampleOf(modelOf(requirements), { now, items: 300 });
    const made = [...entities.values()].reduce((sum, list) => sum + list.length, 0);
    expect(items).toEqual([]);
    expect(made).toBeGreaterThan(200);
    expect(made).toBeLessThanOrEqual(310);
  });

  test("makes some expired only if asked", () => {
    const asked = valuesOf(sampleOf(everything, { now, expired: 0.2 }), "Visit");
    const past = asked.filter((one) => number(one.get("expiresAt")) * 1_000 < now);
    expect(Math.abs(past.length - asked.length * 0.2)).toBeLessThanOrEqual(1);
  });

  test.each([
    [
      "of which there are none yet",
      "Team: { id: [teamId], count: 0, attributes: { teamId: { type: S, format: uuid } } }",
      "",
    ],
    [
      "that links one entity with itself",
      `Team: { id: [teamId], count: 1, attributes: { teamId: { type: S, format: uuid } } }
  Follow: { id: [followerId, followedId], count: 9, attributes: { followerId: { type: S, format: uuid }, followedId: { type: S, format: uuid } } }`,
      "relations: [{ from: Team, to: Team, kind: many-to-many, via: Follow }]",
    ],
    [
      "whose ids go round in a circle",
      `Team: { id: [roomId, no], count: 9, attributes: { roomId: { type: S, format: uuid }, no: { type: N } } }
  Seat: { id: [seatId], count: 9, attributes: { seatId: { type: S, format: uuid }, roomId: { type: S, format: uuid }, no: { type: N } } }
  Room: { id: [roomId], count: 9, attributes: { roomId: { type: S, format: uuid }, seatId: { type: S, format: uuid } } }`,
      "relations: [{ from: Team, to: Seat, kind: one-to-many }, { from: Seat, to: Room, kind: one-to-one }]",
    ],
  ])("has one of an entity %s", (_, entities, relations) => {
    const document = `keywright: 1\nname: none\nentities:\n  ${entities}\n${relations}\npatterns: {}\n`;
    const sample = sampleOf(modelOf(document), { items: 260, seed: 1, now });
    expect([...sample.entities].filter(([, rows]) => rows.length === 0)).toEqual([]);
  });

  test("is as large as all there is, if that is little", () => {
    const small = modelOf(`keywright: 1
name: small
entities:
  Note:
    id: [noteId]
    count: 7
    attributes: { noteId: { type: S, format: uuid }, text: { type: S, bytes: 30 } }
patterns: {}
design: { tables: { Notes: { key: { id: S }, entities: { Note: { key: { id: "{noteId}" } } } } } }
`);
    expect(sampleOf(small, { now }).items).toHaveLength(7);
  });
});

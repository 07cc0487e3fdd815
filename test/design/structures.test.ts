import { expect, test } from "vitest";
import { costModel } from "../../src/workbench/model-cost.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const timeout = 120_000;

async function tablesOf(text: string) {
  const design = await designModel(text, "model.yaml", { now });
  expect(design.refused).toEqual([]);
  expect(isFailing(design)).toBe(false);
  const { report } = costModel(design.text ?? "", "model.yaml");
  expect(report?.total.average).toBeCloseTo(design.designed?.total ?? 0, 2);
  return { ...design.designed?.design, wrong: design.checks?.wrong ?? [] };
}

test("many to many: by one end in the table, by the other in an index", { timeout }, async () => {
  const { tables } = await tablesOf(`keywright: 1
name: members
entities:
  Member:
    id: [userId, groupId]
    count: 2_000_000
    attributes:
      userId: { type: S, format: ulid, distinct: 500_000 }
      groupId: { type: S, format: ulid, distinct: 20_000 }
      since: { type: S, format: iso-date, mutable: false }
      note: { type: S, bytes: 300 }
patterns:
  groups: { name: Groups of a user, read: Member, where: { userId: equals }, rps: 200 }
  users: { name: Users of a group, read: Member, where: { groupId: equals }, limit: 20, returns: [userId, since], rps: 100 }
  join: { name: Join, create: Member, condition: absent, rps: 5 }
`);
  expect(tables).toMatchObject({
    Members: {
      key: { userId: "S", groupId: "S" },
      indexes: { MembersByGroup: { key: { partition: "groupId" }, projection: ["since"] } },
    },
  });
});

const sessions = (expiry: string): string => `keywright: 1
name: sessions
entities:
  Session:
    id: [token]
    count: 100_000
    retention: 7d
    attributes: { token: { type: S, format: uuid }, photo: { type: B, bytes: 390 KB }, film: { type: B, bytes: 30 KB }, ${expiry} }
patterns:
  in: { name: Sign in, create: Session, condition: absent, rps: 1 }
  who: { name: Who, read: Session, where: { token: equals }, returns: [token], rps: 9 }
`;

test("what is kept for a time expires, and what is too large lies elsewhere", {
  timeout,
}, async () => {
  const { tables, services, tradeoffs, wrong } = await tablesOf(
    sessions("expiresAt: { type: N, format: epoch-seconds }"),
  );
  expect(tables).toMatchObject({
    Sessions: {
      ttl: "expiresAt",
      entities: { Session: { elsewhere: [{ attribute: "photo", service: "S3" }] } },
    },
  });
  expect(services?.map(({ name }) => name)).toEqual(["S3"]);
  expect(tradeoffs).toBeUndefined();
  expect(wrong).not.toContain("ttl-for-expiring-data");
});

test("what says nowhere when it is over is told", { timeout }, async () => {
  const { tables, tradeoffs } = await tablesOf(
    sessions("lastSeen: { type: N, format: epoch-seconds }"),
  );
  expect(tables?.Sessions?.ttl).toBeUndefined();
  expect(tradeoffs).toEqual([expect.stringContaining("Session has a retention of 7 days")]);
});

test("a search in everything is no design", { timeout }, async () => {
  const search = `${sessions("text: { type: S, bytes: 2_000 }")}  find: { name: Find, read: Session, where: { text: contains }, rps: 1 }\n`;
  const { refused, text } = await designModel(search, "model.yaml", { now });
  expect(text).toBeUndefined();
  expect(refused).toEqual([expect.stringContaining("a search engine does, such as OpenSearch")]);
});

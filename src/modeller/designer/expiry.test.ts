import { describe, expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Entity } from "../../model/requirements.ts";
import { expiryAttributeOf } from "../expiry-attribute.ts";
import { ttlOf, unlimited } from "./expiry.ts";

const { entities } = modelOf(`keywright: 1
name: kept
entities:
  Session:
    id: [sessionId]
    retention: 7d
    attributes: { sessionId: { type: S, format: ulid }, expiresAt: { type: N, format: epoch-seconds } }
  Draft:
    id: [draftId]
    retention: 7d
    attributes: { draftId: { type: S, format: ulid }, expiresAt: { type: N, format: epoch-milliseconds } }
  Coupon:
    id: [couponId]
    attributes: { couponId: { type: S, format: ulid }, expiresAt: { type: N, format: epoch-seconds } }
  Note:
    id: [noteId]
    attributes: { noteId: { type: S, format: ulid } }
patterns:
  1: { name: One, read: Note, where: { noteId: equals }, rps: 1 }
`);
const those = (...names: string[]): Entity[] => names.map((name) => entities.get(name) as Entity);

describe("what is kept for a time", () => {
  test("goes by the attribute that says so, in seconds", () => {
    expect(those("Session", "Draft", "Coupon").map(expiryAttributeOf)).toEqual([
      "expiresAt",
      undefined,
      undefined,
    ]);
    expect(ttlOf(those("Session", "Note"))).toEqual({ ttl: "expiresAt" });
    expect(ttlOf(those("Note"))).toEqual({});
  });

  test("nobody else goes with it who only has an attribute of that name", () => {
    expect(ttlOf(those("Session", "Coupon"))).toEqual({});
  });

  test("is told where nothing takes it away", () => {
    const table = {
      key: { id: "S" as const },
      entities: { Session: { key: {} }, Draft: { key: {} } },
    };
    expect(unlimited(those("Session", "Draft", "Note"), [{ ...table, ttl: "expiresAt" }])).toEqual([
      expect.stringContaining("Draft has a retention of 7 days but no TTL"),
    ]);
    expect(unlimited(those("Session"), [table])).toHaveLength(1);
  });
});

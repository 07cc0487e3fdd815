import { readdirSync, readFileSync } from "node:fs";
import { complaintText } from "../document/complaint.ts";
import type { Model } from "./model.ts";
import { parseModel } from "./parse.ts";

const folder = new URL("../../examples/models/", import.meta.url);

/** The example models, as texts. */
export const examples: readonly (readonly [string, string])[] = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()
  .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);

export function complaintsOf(text: string): string[] {
  return parseModel(text, "m.yaml").complaints.map(complaintText);
}

export function modelOf(text: string): Model {
  const { model, complaints } = parseModel(text, "m.yaml");
  if (model === undefined) throw new Error(complaints.map(complaintText).join("\n"));
  return model;
}

const base = `keywright: 1
name: shop
entities:
  Customer:
    id: [customerId]
    count: 10
    version: version
    attributes:
      customerId: { type: S, format: ulid }
      email: { type: S, bytes: 40 }
      address: { type: M, bytes: 90 }
      visits: { type: N, digits: 6 }
      version: { type: N, digits: 3 }
      birthday: { type: S, format: iso-date, present: 0.5 }
  Order:
    id: [customerId, orderId]
    count: { assumed: 50, why: five each }
    attributes:
      customerId: { type: S, format: ulid }
      orderId: { type: S, format: ulid }
      status: { type: S, values: { open: 0.1, shipped: 0.9 } }
      createdAt: { type: S, format: iso-time }
      total: { type: N, digits: 7, mutable: false }
      tags: { type: SS, bytes: 5, elements: { average: 2 } }
      signature: { type: B, bytes: 64, unique: true }
      expiresAt: { type: N, format: epoch-seconds }
`;
const patterns = `patterns:
  1: { name: A customer, read: Customer, where: { customerId: equals }, rps: { average: 5, peak: 9 } }
  2: { name: Ship, update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }, rps: { average: 1, peak: 2 } }
`;
const design = `design:
  tables:
    Shop:
      key: { PK: S, SK: S }
      entities:
        Customer: { key: { PK: "C#{customerId}", SK: PROFILE } }
        Order: { key: { PK: "C#{customerId}", SK: "O#{createdAt|day}#{orderId}" } }
      indexes:
        ByStatus:
          key: { partition: open, sort: [createdAt, orderId] }
          sets: { Order: { open: "{status}" } }
          only: { Order: { status: { equals: open } } }
`;
/** Two entities, two patterns, a table and an index: to break in many ways. */
export const smallModel = base + patterns + design;

import { modelOf } from "../../model/model.test-support.ts";
import { months } from "../cost/month.ts";
import { Explaining, type Explanation } from "./explain.ts";
import { type ApiRequest, explainRequest } from "./request.ts";

/** Orders of customers in one table, with a keys-only index by state. */
export const shop = `keywright: 1
name: shop
overview: { region: us-east-1 }
entities:
  Customer:
    id: [customerId]
    count: 1_000
    attributes:
      customerId: { type: S, bytes: 10 }
      about: { type: S, bytes: 2_000 }
  Order:
    id: [customerId, orderId]
    count: 20_000
    attributes:
      customerId: { type: S, bytes: 10 }
      orderId: { type: S, format: ulid }
      state: { type: S, values: { open: 0.1, done: 0.9 } }
      placedAt: { type: S, format: iso-time, mutable: false }
      total: { type: N, digits: 6, mutable: false }
relations:
  - { from: Customer, to: Order, kind: one-to-many, average: 20, max: 500 }
patterns:
  profile: { name: A customer, read: Customer, where: { customerId: equals }, consistency: strong, rps: { average: 100, peak: 200 } }
  orders: { name: Orders of a customer, read: Order, where: { customerId: equals }, order: { orderId: descending }, limit: 10, rps: { average: 50, peak: 100 } }
  done: { name: Orders that are done, read: Order, where: { customerId: equals, state: { equals: open } }, limit: all, rps: { average: 100, peak: 100 } }
  state: { name: Orders in a state, read: Order, where: { state: { equals: open } }, order: { placedAt: ascending }, limit: 25, rps: { average: 10, peak: 20 } }
  find: { name: Orders of a day, read: Order, where: { placedAt: { begins-with: $day } }, limit: all, rps: { average: 0.01, peak: 1 } }
  place: { name: Place an order, create: Order, condition: absent, rps: { average: 5, peak: 50 } }
  finish: { name: Finish an order, update: Order, where: { customerId: equals, orderId: equals }, changes: { state: done }, condition: { state: { equals: open } }, rps: { average: 5, peak: 50 } }
  both: { name: Two at once, transaction: [{ create: Customer }], rps: { average: 1, peak: 1 } }
  search: { name: Search, read: Customer, where: { about: { contains: $word } }, rps: { average: 1, peak: 2 }, status: alternative, alternative: { service: OpenSearch, why: texts } }
design:
  tables:
    Shop:
      key: { owner: S, part: S }
      entities:
        Customer: { key: { owner: "C#{customerId}", part: PROFILE } }
        Order: { key: { owner: "C#{customerId}", part: "O#{orderId}" } }
      indexes:
        ByState: { key: { partition: state, sort: placedAt }, projection: keys }
`;

export function explaining(text = shop): Explaining {
  const found = Explaining.of(modelOf(text), { month: months["730h"] });
  if (typeof found === "string") throw new Error(found);
  return found;
}

export function explained(id: string, text = shop): Explanation {
  const all = explaining(text);
  const pattern = all.model.patterns.get(id);
  if (pattern === undefined) throw new Error(`there is no pattern ${id}`);
  return all.explain(pattern, true);
}

export function requested(operation: string, input: object): Explanation | string {
  return explainRequest(explaining(), { operation, input } satisfies ApiRequest);
}

import { modelOf } from "../../model/model.test-support.ts";
import type { Model } from "../../model/model.ts";
import { months } from "./month.ts";
import { type CostReport, costOf } from "./report.ts";

/** A small shop with everything in it that costs something. */
export const pricedModel = `keywright: 1
name: shop
overview: { region: us-east-1 }
entities:
  Order:
    id: [orderId]
    count: 1_000_000
    attributes:
      orderId: { type: S, format: uuid }
      state: { type: S, values: { open: 0.1, done: 0.9 } }
      body: { type: S, bytes: 1_900 }
patterns:
  1:
    { name: An order, read: Order, where: { orderId: equals }, rps: { average: 400, peak: 1_000 }, status: solved }
  2: { name: Place, create: Order, rps: { average: { assumed: 10 }, peak: 50 }, status: solved }
  3: { name: Nobody knows, read: Order, where: { orderId: equals }, status: solved }
design:
  tables:
    Orders:
      billing: on-demand
      key: { id: S }
      entities: { Order: { key: { id: "{orderId}" }, stores: [state, body] } }
      pitr: true
      dax: { node: dax.r5.large, nodes: 1, hitRate: 0.5, patterns: [1] }
      replicas: [eu-west-1]
`;

export function reportFor(text: string, region?: string): CostReport {
  return reportOfModel(modelOf(text), region);
}

export function reportOfModel(model: Model, region?: string): CostReport {
  const found = costOf(model, { region, month: months["730h"] });
  if (found.report === undefined) throw new Error(found.why);
  return found.report;
}

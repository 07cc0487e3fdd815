import { modelOf } from "../../model/model.test-support.ts";
import { Facts } from "../facts.ts";
import { estimateRun } from "../units/estimate.ts";
import { type KeyCondition, type Plan, structureName } from "./plan.ts";
import { planOf } from "./planner.ts";

/** Fixed sizes all over, so that units can be worked out by hand. */
const entities = `
  Customer:
    id: [customerId]
    count: 1_000
    version: revision
    attributes:
      customerId: { type: S, bytes: 10 }
      mail: { type: S, bytes: 30, unique: true }
      name: { type: S, bytes: 20 }
      orders: { type: N, digits: 4, counter: true }
      revision: { type: N, digits: 4 }
      photo: { type: B, bytes: 6_000, present: 0.5 }
  Order:
    id: [orderId]
    count: 10_000
    attributes:
      orderId: { type: S, bytes: 10 }
      customerId: { type: S, bytes: 10, mutable: false }
      placedAt: { type: S, format: iso-time, mutable: false }
      state: { type: S, values: { open: 0.1, sent: 0.9 } }
      amount: { type: N, digits: 6 }
      score: { type: N, digits: 3 }
      text: { type: S, bytes: 2_000 }
      gift: { type: S, bytes: 8, present: 0.2 }
  Line:
    id: [orderId, position]
    count: 30_000
    attributes:
      orderId: { type: S, bytes: 10 }
      position: { type: N, digits: 2 }
      product: { type: S, bytes: 200 }
  Tag:
    id: [orderId, word]
    count: 20_000
    attributes:
      orderId: { type: S, bytes: 10 }
      word: { type: S, bytes: 6 }
`;
const relations = `
  - { from: Customer, to: Order, kind: one-to-many, average: 10 }
  - { from: Order, to: Line, kind: one-to-many, average: 3 }
  - { from: Order, to: Tag, kind: one-to-many, average: 2 }
`;

/** The plan of one pattern on a design. Tables and the pattern are given as YAML in one line each. */
export function planFor(
  tables: Readonly<Record<string, string>>,
  pattern: string,
  more = "",
): { readonly plan: Plan; readonly facts: Facts } {
  const listed = Object.entries(tables).map(([name, text]) => `    ${name}: ${text}`);
  const text = `keywright: 1
name: plans
entities:${entities}
relations:${relations}
patterns:
  p: { name: P, rps: { average: 1, peak: 2 }, ${pattern} }
design:
  tables:
${listed.join("\n")}
${more}`;
  const facts = new Facts(modelOf(text));
  const found = facts.model.patterns.get("p");
  if (found === undefined) throw new Error("there is no pattern");
  return { plan: planOf(facts, found), facts };
}

/** A plan in lines, one for each request, and its units. */
export function planLines(
  tables: Readonly<Record<string, string>>,
  pattern: string,
  more = "",
): readonly string[] {
  const { plan, facts } = planFor(tables, pattern, more);
  if (plan.problem !== undefined) return [plan.problem];
  const lines = plan.requests.map((request) => {
    if (request.kind === "write") {
      const actions = request.actions.map(({ kind, record, count, because }) => {
        const often = count === 1 ? "" : ` × ${Number(count.toFixed(3))}`;
        return `${kind} ${record.name}${often}${because === undefined ? "" : ` (${because})`}`;
      });
      return `${request.operation} ${actions.join(", ")}`;
    }
    const { operation, table, index, partition, sort, filter, limit, times, forward } = request;
    const words = [
      operation,
      structureName(table, index),
      [...partition, ...sort].map(conditionText).join(" and "),
      filter.length === 0 ? "" : `filter ${filter.map(({ attribute }) => attribute).join(", ")}`,
      forward ? "" : "backward",
      limit === undefined ? "" : `limit ${limit}`,
      request.sortsInClient ? "sorted by the caller" : "",
      request.merges ? "merged" : "",
      request.fetches ? "fetches" : "",
      ...times.map(({ text }) => `× ${text}`),
    ];
    return words.filter((word) => word !== "").join(" ");
  });
  const { read, write } = estimateRun(facts, plan.requests);
  return [...lines, `${Number(read.toFixed(3))} read, ${Number(write.toFixed(3))} write`];
}

/** `SK begins ORDER#`, `SK = ORDER#{orderId}`, `SK between ORDER#{placedAt}`. */
function conditionText({ attribute, text, kind, segments, predicate }: KeyCondition): string {
  const known = text.text.slice(0, text.offsets[segments] ?? text.text.length);
  if (kind === "equals") return `${attribute.name} = ${text.text}`;
  if (kind === "begins") return `${attribute.name} begins ${known}`;
  return `${attribute.name} ${predicate?.operator} ${known}{${predicate?.attribute}}`;
}

import type { Table } from "../../model/design.ts";
import type { Pattern } from "../../model/requirements.ts";
import { reasonsOf } from "../explain/reasons.ts";
import { type Step, stepOf } from "../explain/steps.ts";
import { counted, listText } from "../lint/words.ts";
import type { Plan, PlannedRequest } from "../plans/plan.ts";
import type { MadeKey } from "../records/record.ts";
import {
  type Block,
  code,
  heading,
  joined,
  type Line,
  paragraph,
  strong,
  table as tableBlock,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { askedText, conditionText } from "./requirement-patterns.ts";
import { amountOf, percentOf, stated } from "./words.ts";

/** Which kinds of items have which keys, in the table and in each index. */
export function prefixSection(material: Material): readonly Block[] {
  return [
    heading(2, "Keys of entities"),
    paragraph(
      "What the keys of each kind of item are made of, in the table and in each index that it is in: partition key, then sort key.",
    ),
    ...material.tables.flatMap((table) => [
      heading(3, ["Keys in ", code(table.name)]),
      prefixTable(material, table),
    ]),
  ];
}

function prefixTable({ facts }: Material, table: Table): Block {
  const indexes = [...table.indexes.values()];
  const keyLine = (keys: readonly MadeKey[]): Line =>
    joined(
      keys.map(({ attribute, text }) => [`${attribute.name} `, code(text.text)]),
      ", ",
    );
  return tableBlock(
    ["Items", table.name, ...indexes.map(({ name }) => name)],
    facts.records
      .filter((record) => record.table === table)
      .map((record) => [
        strong(record.name),
        joined(
          record.key.map(({ attribute, text }) => [`${attribute} `, code(text.text)]),
          ", ",
        ),
        ...indexes.map((index): Line => {
          const membership = record.memberships.find((one) => one.index === index);
          if (membership === undefined) return "not in it";
          const share = facts.shareIn(record.entity, membership).value;
          const part = share < 1 ? [` (${percentOf(share)} of the items)`] : [];
          return joined([keyLine([...membership.partition, ...membership.sort]), ...part], "");
        }),
      ]),
    { otherwise: "Nothing is stored in it." },
  );
}

/** How each pattern is carried out, and what one run costs. */
export function mappingSection(material: Material): readonly Block[] {
  const plans = [...material.plans.values()].filter(({ requests }) => requests.length > 0);
  const of = (kind: Pattern["kind"]): readonly Plan[] =>
    plans.filter(({ pattern }) => pattern.kind === kind);
  return [
    heading(2, "Access pattern mapping"),
    paragraph(
      "Requests of one run of a pattern, in their order. Calls and units are means of one run: read units of 4 KB, half a unit if the read may be behind; write units of 1 KB, twice in a transaction.",
    ),
    heading(3, "Solved patterns: reads"),
    mappingTable(material, of("read")),
    heading(3, "Solved patterns: writes"),
    mappingTable(material, of("write")),
    ...unsolved(material),
  ];
}

function mappingTable(material: Material, plans: readonly Plan[]): Block {
  return tableBlock(
    [
      "#",
      "Pattern",
      "Operation",
      "Tables and indexes",
      "Key condition, or what is written",
      "Filter or condition",
      "Calls",
      "Read units",
      "Write units",
      "Notes",
    ],
    plans.flatMap((plan) => stepRows(material, plan)),
    { numbers: [6, 7, 8], otherwise: "There are none." },
  );
}

function stepRows(material: Material, plan: Plan): readonly (readonly Line[])[] {
  const { facts, loads } = material;
  const { pattern, requests, stated: isStated } = plan;
  const run = loads.patterns.get(pattern.id);
  const bytes = (table: string, index: string | undefined): number =>
    loads.loads
      .filter((one) => one.table === table && one.index === index)
      .reduce((sum, one) => sum + one.storageBytes, 0);
  const notes = [
    ...(isStated ? ["The document says how."] : []),
    ...reasonsOf(facts, plan),
    ...(run?.assumptions ?? []).map((one) => `Assumed: ${one}.`),
  ].join(" ");
  return (run?.requests ?? []).map((estimate, i) => {
    const step = stepOf(facts, estimate, bytes);
    return [
      requests.length === 1 ? pattern.id : `${pattern.id}, ${i + 1} of ${requests.length}`,
      i === 0 ? pattern.name : "",
      step.operation,
      listText(step.places),
      whatOf(step),
      conditionsOf(estimate.request),
      amountOf(Math.round(step.calls * 100) / 100),
      amountOf(step.read),
      amountOf(step.write),
      i === 0 ? notes || "none" : "",
    ];
  });
}

function whatOf({ condition, actions }: Step): Line {
  if (actions.length > 0) return actions.join("; ");
  return condition === undefined ? "none: all of it is read" : code(condition);
}

function conditionsOf(request: PlannedRequest): string {
  if (request.kind === "read") {
    return request.filter.length === 0 ? "none" : listText(request.filter.map(askedText));
  }
  const texts = request.actions.flatMap(({ record, condition, also }) => {
    const parts = [
      ...(condition === undefined ? [] : [conditionText(condition)]),
      ...(also.length === 0 ? [] : [`only if ${listText(also.map(askedText))}`]),
    ];
    return parts.length === 0 ? [] : [`${record.name} ${parts.join(", ")}`];
  });
  return texts.length === 0 ? "none" : [...new Set(texts)].join("; ");
}

/** What the design does not answer, and what does. */
function unsolved({ plans, model }: Material): readonly Block[] {
  const left = [...plans.values()].filter(({ requests }) => requests.length === 0);
  return [
    heading(3, "Unsolved patterns and alternatives"),
    tableBlock(
      [
        "#",
        "Pattern",
        "RPS average",
        "RPS peak",
        "Why not here",
        "Instead",
        "How it gets there",
        "Status",
      ],
      left.map(({ pattern, problem }) => {
        const { id, name, rps, alternative, declined } = pattern;
        const via =
          alternative?.via ??
          model.design?.services.find((one) => one.for.includes(id))?.via ??
          (alternative === undefined ? "nothing" : "not stated");
        return [
          id,
          name,
          stated(rps.average),
          stated(rps.peak),
          alternative?.why ?? declined ?? problem ?? "it asks for nothing",
          alternative?.service ?? (declined === undefined ? "open" : "nothing: it was declined"),
          via,
          pattern.status ?? "not stated",
        ];
      }),
      {
        numbers: [2, 3],
        otherwise: `None: all ${counted(plans.size, "pattern")} are solved here.`,
      },
    ),
  ];
}

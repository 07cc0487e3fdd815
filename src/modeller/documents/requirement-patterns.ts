import type {
  Action,
  Condition,
  Operand,
  Order,
  Pattern,
  Predicate,
} from "../../model/requirements.ts";
import { counted, listText } from "../lint/words.ts";
import {
  type Block,
  code,
  heading,
  joined,
  type Line,
  paragraph,
  strong,
  table,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { durationText, kindWords, notStated, percentOf, ratesText, stated } from "./words.ts";

/** What the application asks of the data. */
export function patternsSection(material: Material): readonly Block[] {
  const { model } = material;
  const patterns = [...model.patterns.values()];
  const reads = patterns.filter(({ kind }) => kind === "read");
  const writes = patterns.filter(({ kind }) => kind === "write");
  return [
    heading(2, "Access patterns"),
    paragraph(
      `Reads: ${counted(reads.length, "pattern")}, ${ratesText(reads)}. Writes: ${counted(writes.length, "pattern")}, ${ratesText(writes)}. Rates are requests per second; none is invented.`,
    ),
    table(
      [
        "#",
        "Description",
        "RPS average",
        "RPS peak",
        "Type",
        "Attributes needed",
        "Key requirements",
        "Considerations",
        "Status",
      ],
      patterns.map((pattern) => [
        pattern.id,
        descriptionOf(pattern),
        stated(pattern.rps.average),
        stated(pattern.rps.peak),
        typeOf(pattern),
        attributesOf(material, pattern),
        requirementsOf(pattern),
        considerationsOf(pattern),
        statusOf(pattern),
      ]),
      { numbers: [2, 3], otherwise: "There are no patterns yet." },
    ),
  ];
}

/** Tasks that run through several patterns. */
export function workflowsSection({ model }: Material): readonly Block[] {
  return [
    heading(2, "Workflows"),
    table(
      ["Workflow", "What happens", "Steps, by pattern", "RPS average", "RPS peak"],
      [...model.workflows.values()].map(({ name, description, steps, rps }) => [
        strong(name),
        description ?? notStated,
        steps.map((id) => `#${id} ${model.patterns.get(id)?.name ?? ""}`).join(" → "),
        stated(rps.average),
        stated(rps.peak),
      ]),
      { numbers: [3, 4], otherwise: "No workflows are stated." },
    ),
  ];
}

function descriptionOf({ name, story }: Pattern): Line {
  return story === undefined ? name : [`${name}. `, { kind: "emphasis", text: story }];
}

function typeOf({ kind, transaction, actions, batch }: Pattern): string {
  const what = [
    ...new Set(
      actions.map((one) => (kind === "read" ? one.entity : `${kindWords[one.kind]} ${one.entity}`)),
    ),
  ];
  const how = transaction ? ", all or nothing" : batch === undefined ? "" : ", many at once";
  return `${kind}: ${listText(what)}${how}`;
}

/** What a reader gets or a writer gives. */
function attributesOf({ model }: Material, { actions, together }: Pattern): Line {
  const named = (entity: string, names: readonly string[]): Line => {
    const all = model.entities.get(entity)?.attributes.size;
    return names.length === 0 || names.length === all
      ? `all of ${entity}`
      : joined(names.map(code), ", ");
  };
  const parts = actions.map((action): Line => {
    const { kind, entity, returns, changes, adds, appends, removes } = action;
    if (kind === "read") return named(entity, returns);
    if (kind !== "update") return `${kind === "create" ? "all" : "the key"} of ${entity}`;
    const touched = [...changes, ...adds].map(({ attribute }) => attribute);
    return joined([...new Set([...touched, ...appends, ...removes])].map(code), ", ");
  });
  const more = together.map(({ entity, returns }) => named(entity, returns));
  return joined([...parts, ...more], "; ");
}

function requirementsOf(pattern: Pattern): string {
  const { actions, together, consistency, latencyMs, scope, requirements, kind, batch } = pattern;
  const parts = [
    ...actions.map((action) => askText(action, actions.length > 1)).filter((one) => one !== ""),
    ...together.map(
      ({ entity, order, limit, where }) =>
        `with its ${entity}${where.length === 0 ? "" : ` where ${listText(where.map(askedText))}`}${orderText(order)}${limitText(limit)}`,
    ),
    ...(kind === "read" && consistency === "strong" ? ["the newest state"] : []),
    ...(batch === undefined ? [] : [`${stated(batch)} at once`]),
    ...(latencyMs === undefined ? [] : [`within ${durationText(latencyMs)}`]),
    ...(scope.length === 0 ? [] : [`only for the caller's own ${listText(scope)}`]),
    ...requirements,
  ];
  return parts.length === 0 ? notStated : parts.join("; ");
}

function askText(action: Action, several: boolean): string {
  const { where, order, limit, condition, kind, entity, average } = action;
  const who = several
    ? `${kindWords[kind]} ${average.value === 1 ? "" : `${stated(average)} `}${entity}`
    : "";
  const asks = [
    ...(where.length === 0 ? [] : [`by ${listText(where.map(askedText))}`]),
    ...(condition === undefined ? [] : [conditionText(condition)]),
  ].join(", ");
  const text = `${who}${who !== "" && asks !== "" ? " " : ""}${asks}${orderText(order)}${limitText(limit)}`;
  return text.trim();
}

function orderText(order: readonly Order[]): string {
  if (order.length === 0) return "";
  return `, ordered by ${listText(order.map(({ attribute, direction }) => `${attribute} ${direction}`))}`;
}

function limitText(limit: number | "all" | undefined): string {
  if (limit === undefined) return "";
  return limit === "all" ? ", all of them" : `, ${limit} at a time`;
}

const comparisons: Readonly<Record<string, string>> = {
  less: "below",
  "at-most": "up to",
  greater: "above",
  "at-least": "from",
  "begins-with": "beginning with",
  contains: "containing",
};

/** `customerId`, `status is open`, `points above $points`: what is asked by the attribute's own value needs no more. */
export function askedText({ attribute, operator, operands, exists }: Predicate): string {
  const texts = operands.map(operandText);
  const [first = ""] = texts;
  if (operator === "exists") return `${attribute} is ${exists ? "" : "not "}there`;
  if (operator === "equals")
    return first === `$${attribute}` ? attribute : `${attribute} is ${first}`;
  if (operator === "between") return `${attribute} between ${texts.join(" and ")}`;
  if (operator === "one-of") return `${attribute} one of ${texts.join(", ")}`;
  return `${attribute} ${comparisons[operator]} ${texts.join(", ")}`;
}

function operandText(operand: Operand): string {
  return operand.kind === "parameter" ? `$${operand.name}` : String(operand.value);
}

export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case "exists":
      return "only if it is there";
    case "absent":
      return "only if it is not there";
    case "version":
      return `only if ${condition.attribute} is as it was read`;
    case "where":
      return `only if ${listText(condition.predicates.map(askedText))}`;
  }
}

function considerationsOf({ considerations, skew, writers }: Pattern): string {
  const parts = [
    ...considerations,
    ...(skew === undefined
      ? []
      : [
          skew.kind === "hottest"
            ? `the hottest ${skew.key} gets ${percentOf(skew.value.value)}${skew.value.assumed ? " (assumed)" : ""}`
            : `${skew.key} is used by Zipf's law with the exponent ${stated(skew.value)}`,
        ]),
    ...(writers === undefined ? [] : [`${stated(writers)} write the same at once`]),
  ];
  return parts.length === 0 ? "none stated" : parts.join("; ");
}

const marks = { solved: "✅", open: "⏳", alternative: "➡️", declined: "❌" } as const;

export function statusOf({ status, alternative, declined }: Pattern): string {
  if (status === undefined) return notStated;
  const text =
    status === "alternative"
      ? `${alternative?.service ?? "another service"}: ${alternative?.why ?? notStated}`
      : status === "declined"
        ? `declined: ${declined ?? notStated}`
        : status;
  return `${marks[status]} ${text}`;
}

import { conjunctsOf } from "../../expressions/logical-tree.ts";
import type { Condition } from "../../expressions/tree.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Operand, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";
import { valueText } from "./match-value.ts";

/** What a filter leaves of one kind of item. */
export interface Passing {
  readonly share: number;
  /** The parts that the model can say something about. */
  readonly predicates: readonly Predicate[];
  readonly assumptions: readonly string[];
}

export const operators = {
  "<": "less",
  "<=": "at-most",
  ">": "greater",
  ">=": "at-least",
} as const;

const none: Passing = { share: 0, predicates: [], assumptions: [] };
const all: Passing = { share: 1, predicates: [], assumptions: [] };
const unknown: Passing = {
  ...all,
  assumptions: ["that a part of the filter leaves everything"],
};

export function filterShare(
  facts: Facts,
  record: StoredRecord,
  filter: Condition | undefined,
): Passing {
  if (filter === undefined) return all;
  if (filter.kind === "and") {
    return conjunctsOf(filter)
      .map((conjunct) => filterShare(facts, record, conjunct))
      .reduce(both);
  }
  if (filter.kind === "attribute_exists" || filter.kind === "attribute_not_exists") {
    const exists = filter.kind === "attribute_exists";
    const [stored, ...within] = filter.path.steps;
    const held = heldAs(record, stored);
    if (within.length > 0) return unknown;
    if (held === undefined) return exists ? none : all;
    return told(facts, record, { attribute: held, operator: "exists", operands: [], exists });
  }
  if (filter.kind !== "compare" || filter.left.kind !== "path" || filter.right.kind !== "value") {
    return unknown;
  }
  const [stored, ...within] = filter.left.steps;
  if (within.length > 0) return unknown;
  const attribute = heldAs(record, stored);
  // What is not there equals nothing, and differs from everything.
  if (attribute === undefined) return filter.op === "<>" ? all : none;
  if (filter.op === "<>") return unknown;
  const operator = filter.op === "=" ? "equals" : operators[filter.op];
  const operands = [constant(filter.right.value)];
  return told(facts, record, { attribute, operator, operands, exists: true });
}

function both(a: Passing, b: Passing): Passing {
  return {
    share: a.share * b.share,
    predicates: [...a.predicates, ...b.predicates],
    assumptions: [...a.assumptions, ...b.assumptions],
  };
}

function told(facts: Facts, { entity }: StoredRecord, predicate: Predicate): Passing {
  const { value, assumed } = facts.share(entity, [predicate]);
  const assumptions = assumed ? [`how many ${entity.name} pass the filter`] : [];
  return { share: value, predicates: [predicate], assumptions };
}

/** What an attribute is called in the model; as it is, if it is made for a key. */
function heldAs({ attributes }: StoredRecord, stored: string): string | undefined {
  const found = attributes.find(({ name }) => name === stored);
  return found?.content.kind === "attribute" ? found.content.attribute.name : found?.name;
}

function constant(value: AttributeValue): Operand {
  const text = valueText(value);
  return { kind: "constant", value: "N" in value ? Number(text) : text };
}

import type { KeyText } from "../../model/key-text.ts";
import type { Operand, Predicate } from "../../model/requirements.ts";
import type { Binding, Bindings, KeyCondition, ReadRequest } from "../plans/plan.ts";

/** Where in a table or index a request looks. */
export interface KeyRange {
  /** `owner is C#{customerId}, part begins with O#`. */
  readonly words: string;
  /** The same as a key condition: `owner = C#{customerId} AND begins_with(part, O#)`. */
  readonly condition: string;
}

/** Nothing for a Scan, which has no range. */
export function keyRange({ partition, sort, operation }: ReadRequest): KeyRange | undefined {
  if (operation === "Scan") return undefined;
  const parts = [...partition, ...sort].map(rangeOf);
  return {
    words: parts.map(({ words }) => words).join(", "),
    condition: parts.map(({ condition }) => condition).join(" AND "),
  };
}

function rangeOf({ attribute, text, kind, segments, predicate }: KeyCondition): KeyRange {
  const { name } = attribute;
  if (kind === "equals") {
    return { words: `${name} is ${text.text}`, condition: `${name} = ${text.text}` };
  }
  const head = headOf(text, segments);
  if (kind === "begins" || predicate === undefined) {
    return {
      words: `${name} begins with ${head}`,
      condition: `begins_with(${name}, ${head})`,
    };
  }
  return compared(name, head, predicate);
}

/** The first segments as they are written. */
function headOf({ text, offsets }: KeyText, segments: number): string {
  return text.slice(0, offsets[segments] ?? text.length);
}

function compared(name: string, head: string, { operator, operands }: Predicate): KeyRange {
  const [first = "", second = ""] = operands.map((one) => `${head}${operandText(one)}`);
  const within = head === "" ? "" : `, within ${head}`;
  switch (operator) {
    case "less":
      return { words: `${name} below ${first}${within}`, condition: `${name} < ${first}` };
    case "at-most":
      return { words: `${name} up to ${first}${within}`, condition: `${name} <= ${first}` };
    case "greater":
      return { words: `${name} above ${first}${within}`, condition: `${name} > ${first}` };
    case "at-least":
      return { words: `${name} from ${first} on${within}`, condition: `${name} >= ${first}` };
    case "between":
      return {
        words: `${name} from ${first} to ${second}`,
        condition: `${name} BETWEEN ${first} AND ${second}`,
      };
    default:
      return {
        words: `${name} begins with ${first}`,
        condition: `begins_with(${name}, ${first})`,
      };
  }
}

export function operandText(operand: Operand): string {
  return operand.kind === "parameter" ? `{$${operand.name}}` : String(operand.value);
}

/** `status = open`, `total > {$least}`. */
export function predicateText({ attribute, operator, operands, exists }: Predicate): string {
  const signs: Readonly<Record<string, string>> = {
    equals: "=",
    less: "<",
    "at-most": "<=",
    greater: ">",
    "at-least": ">=",
  };
  if (operator === "exists") return `${attribute} is ${exists ? "" : "not "}there`;
  const texts = operands.map(operandText);
  const sign = signs[operator];
  if (sign !== undefined) return `${attribute} ${sign} ${texts[0]}`;
  if (operator === "between") return `${attribute} between ${texts.join(" and ")}`;
  if (operator === "one-of") return `${attribute} one of ${texts.join(", ")}`;
  return `${attribute} ${operator} ${texts.join(", ")}`;
}

/** Whether a value in a request comes from the answer to an earlier one. */
export function waitsFor(bindings: Bindings): boolean {
  return [...bindings.values()].some((one: Binding) => one.kind === "result");
}

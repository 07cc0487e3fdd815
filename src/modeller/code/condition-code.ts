import type { Attribute, Predicate } from "../../model/requirements.ts";
import type { KeyCondition } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { comparedTransforms, type EndPart, rangeShape } from "../requests/key-range.ts";
import { storedName } from "../requests/stored-names.ts";
import { keyTextCode, transformedCode, type ValueCode } from "./key-code.ts";
import type { Scope } from "./scope.ts";
import { callWithin, literal, templateText } from "./source.ts";

const helpers = {
  equals: "equalTo",
  less: "lessThan",
  "at-most": "atMost",
  greater: "greaterThan",
  "at-least": "atLeast",
  between: "between",
  "begins-with": "beginsWith",
  contains: "containing",
} as const;

/** A condition of a request, by the name that the attribute has in the table, or the code of a place inside of one. */
export function comparisonCode(
  scope: Scope,
  predicate: Predicate,
  attribute: Attribute,
  stored: string | { readonly code: string },
): string {
  const { operator, operands, exists } = predicate;
  const name = typeof stored === "string" ? literal(stored) : stored.code;
  if (operator === "exists") return `${scope.use(exists ? "present" : "absent")}(${name})`;
  const codes = operands.map((one) => scope.operand(one, attribute));
  const isList = codes.some((one) => one.isList);
  if (operator === "one-of" || (operator === "equals" && isList)) {
    const [only] = codes;
    const list =
      codes.length === 1 && only?.isList === true
        ? only.code
        : `[${codes.map(({ code, isList: many }) => (many ? `...${code}` : code)).join(", ")}]`;
    return `${scope.use("oneOf")}(${name}, ${list})`;
  }
  return `${scope.use(helpers[operator])}(${[name, ...codes.map(({ code }) => code)].join(", ")})`;
}

/** Conditions on what a kind of item stores; those on what it does not store are no part of a request. */
export function comparisonCodes(
  scope: Scope,
  record: StoredRecord,
  predicates: readonly Predicate[],
): readonly string[] {
  return predicates.flatMap((predicate) => {
    const attribute = record.entity.attributes.get(predicate.attribute);
    const stored = storedName(record, predicate.attribute);
    if (attribute === undefined || stored === undefined) return [];
    return [comparisonCode(scope, predicate, attribute, stored)];
  });
}

/** Several conditions as one. */
export function allOfCode(scope: Scope, conditions: readonly string[]): string | undefined {
  const [first, second] = conditions;
  if (second === undefined) return first;
  return callWithin(72, scope.use("allOf"), ...conditions);
}

const forms = {
  begins_with: "beginsWith",
  BETWEEN: "between",
  "<": "lessThan",
  "<=": "atMost",
  ">": "greaterThan",
  ">=": "atLeast",
} as const;

/** The condition on a sort key of which a beginning, or a range, is known. */
export function rangeCode(
  scope: Scope,
  condition: KeyCondition,
  record: StoredRecord,
  codeFor: ValueCode,
): { readonly code: string; readonly isLoose: boolean } {
  const { entity } = record;
  const { attribute, text, segments, predicate } = condition;
  const shape = rangeShape(condition);
  const asked = entity.attributes.get(predicate?.attribute ?? "");
  const operands =
    asked === undefined || predicate === undefined
      ? []
      : predicate.operands.map((one) => scope.operand(one, asked).code);
  const beginning = { segments: text.segments.slice(0, segments), native: undefined };
  const partCode = (part: EndPart): { readonly text: string } | { readonly code: string } => {
    if (part === "last") return { text: "\u{10FFFF}" };
    if (part === "blank") return { text: " " };
    if (typeof part === "object" && "literal" in part) return { text: part.literal };
    if (part === "prefix") {
      const code = keyTextCode(beginning, entity, codeFor, () => undefined, scope.use);
      return beginning.segments.every(({ kind }) => kind === "text")
        ? { text: beginning.segments.map((one) => (one.kind === "text" ? one.text : "")).join("") }
        : { code };
    }
    const operand = operands[part.operand] ?? "undefined";
    return asked === undefined
      ? { code: operand }
      : { code: transformedCode(asked, comparedTransforms(condition), operand, scope.use) };
  };
  const ends = shape.ends.map((parts) => {
    const [first] = parts;
    if (shape.isNative) {
      return typeof first === "object" && "operand" in first ? (operands[first.operand] ?? "") : "";
    }
    return joined(parts.map(partCode));
  });
  const helper = scope.use(forms[shape.form]);
  return {
    code: `${helper}(${[literal(attribute.name), ...ends].join(", ")})`,
    isLoose: shape.isLoose,
  };
}

/** Texts and code one after the other, as one expression. */
function joined(parts: readonly ({ readonly text: string } | { readonly code: string })[]): string {
  if (parts.every((part) => "text" in part)) {
    return literal(parts.map((part) => part.text).join(""));
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && "code" in only) return only.code;
  // What is a template itself is taken apart, so that there is one.
  const texts = parts.map((part) => {
    if ("text" in part) return templateText(part.text);
    const inner = /^`([^`]*)`$/.exec(part.code);
    return inner === null ? `\${${part.code}}` : (inner[1] ?? "");
  });
  return `\`${texts.join("")}\``;
}

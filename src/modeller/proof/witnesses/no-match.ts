import { contradictionIn } from "../../../model/contradiction.ts";
import type { Attribute, Operand, Predicate } from "../../../model/requirements.ts";
import { compares, constantValue } from "../../values/holds.ts";
import { takesLists } from "../mutants/mutant.ts";
import type { Question, WitnessContext } from "./context.ts";

/** Why no entity meets the conditions of a question, or none fails one of them. Nothing is tried here. */

/** Why nothing ever meets the conditions of a question, but for those on one attribute; nothing if something may. */
export function whyNoMatch(
  context: WitnessContext,
  question: Question,
  except?: string,
): string | undefined {
  const own = question.isChild ? context.question(0) : undefined;
  const parentless = own && whyNoMatch(context, own, except);
  if (parentless !== undefined) return parentless;
  const { entity } = question;
  const where = context.predicatesOf(question).filter(({ attribute }) => attribute !== except);
  const never = `no ${entity.name} meets the conditions`;
  for (const predicate of where) {
    const attribute = entity.attributes.get(predicate.attribute);
    if (attribute === undefined) continue;
    const { name } = attribute;
    const contradiction = contradictionIn(
      attribute,
      where.filter((one) => one.attribute === name),
    );
    if (contradiction !== undefined) return `${never} on ${name}: ${contradiction}`;
    if (isLessThanItself(context, question, predicate)) {
      return `${never}: ${name} is ${predicate.operator} than itself`;
    }
  }
  return undefined;
}

/** Why no entity misses a condition alone; nothing if that is not known. */
export function whyNeverFails(
  context: WitnessContext,
  question: Question,
  predicate: Predicate,
): string | undefined {
  const { entity } = question;
  const attribute = entity.attributes.get(predicate.attribute);
  if (attribute === undefined) return undefined;
  if (predicate.operator === "one-of") {
    const equal = equalTo(context, question, attribute.name);
    const isOne = predicate.operands.some((own) => equal.some((one) => isSameOperand(own, one)));
    if (isOne) return `${attribute.name} equals one of the values by another condition`;
  }
  if (!isAlwaysThere(question, attribute)) return undefined;
  const { name, values } = attribute;
  if (predicate.operator === "exists" && predicate.exists) {
    return `every ${entity.name} has ${name}, so the condition always holds`;
  }
  if (values?.length === 1) return `${name} of ${entity.name} has only one value`;
  const isListed = isConstant(predicate) && values !== undefined;
  const isAlways = isListed && allowedBy(attribute, [predicate]) === values.length;
  return isAlways ? `every value of ${name} meets the condition` : undefined;
}

/** How many of the listed values meet all conditions on constants; nothing if no values are listed. */
export function allowedBy(attribute: Attribute, where: readonly Predicate[]): number | undefined {
  const own = where.filter((one) => one.attribute === attribute.name && isConstant(one));
  return attribute.values?.filter(({ value }) =>
    own.every((one) => holdsForConstant(attribute, one, value)),
  ).length;
}

function holdsForConstant(
  attribute: Attribute,
  predicate: Predicate,
  constant: string | number,
): boolean {
  const operands = predicate.operands.flatMap((one) =>
    one.kind === "constant" ? (constantValue(attribute, one.value) ?? []) : [],
  );
  return compares(predicate, constantValue(attribute, constant), operands);
}

function isConstant({ operands }: Predicate): boolean {
  return operands.every(({ kind }) => kind === "constant");
}

function isAlwaysThere({ entity }: Question, { name, isOptional }: Attribute): boolean {
  return !isOptional || entity.id.includes(name);
}

/** Whether an attribute has to be less or greater than a value that it equals. */
function isLessThanItself(
  context: WitnessContext,
  question: Question,
  { attribute, operator, operands: [bound] }: Predicate,
): boolean {
  if (operator !== "less" && operator !== "greater") return false;
  if (takesLists(context.job.plan.pattern) || bound === undefined) return false;
  return equalTo(context, question, attribute).some((one) => isSameOperand(one, bound));
}

function isSameOperand(a: Operand, b: Operand): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What an attribute equals, by its own conditions and those of the parent that it repeats. */
function equalTo(context: WitnessContext, question: Question, name: string): readonly Operand[] {
  const asked = context
    .predicatesOf(question)
    .flatMap(({ attribute, operator, operands }) =>
      attribute === name && operator === "equals" && operands.length === 1 ? operands : [],
    );
  const own = question.isChild ? context.question(0) : undefined;
  const ours = own && context.linksTo(question.entity, own.entity).get(name);
  return own === undefined || ours === undefined
    ? asked
    : [...asked, ...equalTo(context, own, ours)];
}

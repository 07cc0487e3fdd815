import {
  type Constraint,
  type Dialect,
  type Failure,
  type Rules,
  rulesOf,
  type Wording,
  withValue,
} from "./dialect.ts";
import {
  constraintFailedBare,
  constraintsFailed,
  mapKeysMust,
  mapValuesMust,
  mustBeOneOf,
  mustHaveLengthMax,
  mustHaveLengthMin,
  mustHaveValueMax,
  mustHaveValueMin,
  mustMatch,
  mustNotBeNull,
} from "./errors/request.ts";
import type { ServiceError } from "./errors/service-error.ts";
import type { ListShape, MapShape, NumberShape, Shape, StringShape, StructShape } from "./shape.ts";
import { echo, echoJson, lowerFirst } from "./shape-echo.ts";

/** No more failures than these are looked for. */
const failuresMax = 10;

/** JSON levels (two per level of an attribute value) beyond which the older layer answers. */
const newerLayerLevelsMax = 127;

type Json = Record<string, unknown>;

/**
 * The second stage: every member of a request of the right types satisfies its constraints, or a
 * ValidationException in the words of the dialect is thrown.
 */
export function checkConstraints(
  operation: string,
  shape: StructShape<unknown>,
  body: unknown,
  dialect: Dialect,
): void {
  const walk = new Walk();
  walk.struct(shape, body as Json);
  if (walk.failures.length > 0) {
    throw report(rulesOf(operation, dialect), walk.failures, body);
  }
}

function report(rules: Rules, failures: readonly Found[], body: unknown): ServiceError {
  const worded = failures.map((found) => toFailure(found, rules.jsonEcho ?? false));
  if (rules.older !== undefined && needsOlderLayer(rules.older, worded, body)) {
    return constraintsFailed(worded.map(withValue.text));
  }
  for (const step of rules.steps) {
    const hit = worded.filter((failure) => Object.hasOwn(step, failure.rule));
    if (hit.length > 0) return inWords(hit, (failure) => step[failure.rule] ?? withValue);
  }
  return inWords(worded, () => withValue);
}

function inWords(
  failures: readonly Failure[],
  wordingOf: (failure: Failure) => Wording,
): ServiceError {
  const texts: string[] = [];
  for (const failure of failures) {
    const wording = wordingOf(failure);
    if (wording.bare) return constraintFailedBare(wording.text(failure));
    texts.push(wording.text(failure));
  }
  return constraintsFailed(texts);
}

function needsOlderLayer(
  older: readonly string[],
  failures: readonly Failure[],
  body: unknown,
): boolean {
  return (
    failures.some(({ rule }) => rule.endsWith(" required") || older.includes(rule)) ||
    isTooDeepForNewerLayer(body)
  );
}

export function isTooDeepForNewerLayer(body: unknown): boolean {
  return isDeeperThan(body, newerLayerLevelsMax);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** A failure as the walk meets it, before it is put into words. */
interface Found {
  readonly path: readonly Segment[];
  readonly constraint: Constraint;
  readonly must: string;
  readonly memberMust: string;
  /** What is shown, and where: for failures of a map's values that is the map. */
  readonly shape: Shape;
  readonly value: unknown;
  readonly valueDepth: number;
}

/** A member's name, a map's key, or an index counted from 1. */
interface Segment {
  readonly kind: "member" | "key";
  readonly name: string;
}

function toFailure(found: Found, jsonEcho: boolean): Failure {
  const { path, shape, value, valueDepth } = found;
  const members = path.slice(0, valueDepth).filter(({ kind }) => kind === "member");
  return {
    rule: `${members.map(({ name }) => name).join(".")} ${found.constraint}`,
    memberPath: path.map(({ kind, name }) => (kind === "key" ? `${name}.member` : name)).join("."),
    valuePath: path
      .slice(0, valueDepth)
      .map(({ kind, name }) => (kind === "key" ? `${name}.member` : lowerFirst(name)))
      .join("."),
    echo: () => {
      if (value === undefined || value === null) return undefined;
      const asJson = jsonEcho && shape.kind === "map" && !isDeeperThan(value, newerLayerLevelsMax);
      return asJson ? echoJson(value) : echo(shape, value);
    },
    constraint: found.must,
    memberConstraint: found.memberMust,
  };
}

class Walk {
  readonly failures: Found[] = [];
  readonly #path: Segment[] = [];

  struct(shape: StructShape<unknown>, value: Json): void {
    const { names, shapes } = shape;
    for (let index = 0; index < names.length; index++) {
      const member = shapes[index] as Shape;
      const name = names[index] as string;
      const content = value[name];
      if (content === undefined) {
        if (member.required) this.#missing("member", name, member);
      } else if (isConstrained(member)) {
        this.#path.push({ kind: "member", name });
        this.#check(member, content);
        this.#path.pop();
      }
    }
  }

  #check(shape: Shape, value: unknown): void {
    switch (shape.kind) {
      case "string":
        this.#string(shape, value as string);
        return;
      case "integer":
      case "long":
      case "double":
        this.#number(shape, value as number);
        return;
      case "list":
        this.#length(shape, (value as unknown[]).length, value);
        this.#list(shape, value as unknown[]);
        return;
      case "map":
        this.#length(shape, sizeOf(value as Json), value);
        this.#map(shape, value as Json);
        return;
      case "struct":
        this.struct(shape, value as Json);
        return;
    }
  }

  #string(shape: StringShape, value: string): void {
    const { values, pattern, min, max, arnMax } = shape;
    if (values !== undefined) {
      if (!values.includes(value)) this.#fail("enum", mustBeOneOf(values), shape, value);
      return;
    }
    if (arnMax !== undefined && value.startsWith("arn:")) {
      if (value.length > arnMax) this.#fail("max", mustHaveLengthMax(arnMax), shape, value);
      return;
    }
    // Where one character is enough, an empty name fails by its length alone.
    const patterned = pattern !== undefined && !(value === "" && min === 1);
    if (patterned && !pattern.whole.test(value)) {
      this.#fail("pattern", mustMatch(pattern.text), shape, value);
    }
    if (min !== undefined && value.length < min) {
      this.#fail("min", mustHaveLengthMin(min), shape, value);
    }
    if (max !== undefined && value.length > max) {
      this.#fail("max", mustHaveLengthMax(max), shape, value);
    }
  }

  #number(shape: NumberShape, value: number): void {
    const { min, max } = shape;
    if (min !== undefined && value < min) this.#fail("min", mustHaveValueMin(min), shape, value);
    if (max !== undefined && value > max) this.#fail("max", mustHaveValueMax(max), shape, value);
  }

  #length(shape: ListShape | MapShape, length: number, value: unknown): void {
    const { min, max } = shape;
    if (min !== undefined && length < min) {
      this.#fail("min", mustHaveLengthMin(min), shape, value);
    }
    if (max !== undefined && length > max) {
      this.#fail("max", mustHaveLengthMax(max), shape, value);
    }
  }

  #list(shape: ListShape, values: readonly unknown[]): void {
    const { element } = shape;
    if (element.kind === "attributeValue") return;
    for (let index = 0; index < values.length; index++) {
      // A body can hold five million structures that lack something.
      if (this.failures.length >= failuresMax) return;
      const value = values[index];
      if (value === null) this.#missing("key", String(index + 1), element);
      else if (isConstrained(element)) {
        this.#path.push({ kind: "key", name: String(index + 1) });
        this.#check(element, value);
        this.#path.pop();
      }
    }
  }

  #map(shape: MapShape, values: Json): void {
    const { key, element } = shape;
    if (key !== undefined) {
      for (const name in values) {
        if (!isName(key, name)) this.#fail("keys", mapKeysMust(nameMust(key)), shape, values);
      }
    }
    if (element.kind === "attributeValue") return;
    for (const name in values) {
      const value = values[name];
      if (value === null) this.#missing("key", name, element);
      else if (isConstrained(element)) {
        this.#path.push({ kind: "key", name });
        if (element.kind === "list") this.#listInMap(shape, values, element, value as unknown[]);
        else this.#check(element, value);
        this.#path.pop();
      }
    }
  }

  /** The length of a list that is a map's value is a failure of the map. */
  #listInMap(outer: MapShape, values: Json, shape: ListShape, list: readonly unknown[]): void {
    const { min = 0, max = Number.POSITIVE_INFINITY } = shape;
    const must = mapValuesMust([mustHaveLengthMax(max), mustHaveLengthMin(min)]);
    if (list.length < min) {
      this.#fail("valuesMin", must, outer, values, mustHaveLengthMin(min));
    } else if (list.length > max) {
      this.#fail("valuesMax", must, outer, values, mustHaveLengthMax(max));
    }
    this.#list(shape, list);
  }

  #missing(kind: Segment["kind"], name: string, shape: Shape): void {
    this.#path.push({ kind, name });
    this.#fail("required", mustNotBeNull, shape, undefined);
    this.#path.pop();
  }

  #fail(
    constraint: Constraint,
    must: string,
    shape: Shape,
    value: unknown,
    memberMust?: string,
  ): void {
    if (this.failures.length >= failuresMax) return;
    const path = [...this.#path];
    this.failures.push({
      path,
      constraint,
      must,
      memberMust: memberMust ?? must,
      shape,
      value,
      valueDepth: memberMust === undefined ? path.length : path.length - 1,
    });
  }
}

/** Whether there is anything to check in a value of this shape that is present. */
function isConstrained(shape: Shape): boolean {
  switch (shape.kind) {
    case "string":
      return (
        shape.values !== undefined ||
        shape.pattern !== undefined ||
        shape.min !== undefined ||
        shape.max !== undefined
      );
    case "integer":
    case "long":
    case "double":
      return shape.min !== undefined || shape.max !== undefined;
    case "list":
    case "map":
      return shape.constrained;
    case "struct":
      return true;
    default:
      return false;
  }
}

function isName(shape: StringShape, name: string): boolean {
  const { pattern, min = 0, max = Number.POSITIVE_INFINITY, arnMax } = shape;
  if (arnMax !== undefined && name.startsWith("arn:")) return name.length <= arnMax;
  return (
    name.length >= min && name.length <= max && (pattern === undefined || pattern.whole.test(name))
  );
}

function nameMust(shape: StringShape): string[] {
  const { pattern, min, max } = shape;
  const all: string[] = [];
  if (max !== undefined) all.push(mustHaveLengthMax(max));
  if (min !== undefined) all.push(mustHaveLengthMin(min));
  if (pattern !== undefined) all.push(mustMatch(pattern.text));
  return all;
}

function sizeOf(values: Json): number {
  let size = 0;
  for (const _ in values) size++;
  return size;
}

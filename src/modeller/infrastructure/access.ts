import type { KeyText } from "../../model/key-text.ts";
import type { Background } from "../plans/background.ts";
import type { Plan, PlannedRequest, WriteAction } from "../plans/plan.ts";
import { policyCharactersMax, prefixMax } from "./service-limits.ts";

/** What a caller may do who is bound to a scope: exactly what the patterns of that scope do. */
export interface AccessPolicy {
  /** The attributes whose values the caller is bound to; none: the application itself. */
  readonly scope: readonly string[];
  /** The ids of its patterns; none of the policy for what a design does by itself. */
  readonly patterns: readonly string[];
  /** What the policy is called after. */
  readonly name: readonly string[];
  /** What it is for, in words. */
  readonly about: string;
  readonly statements: readonly AccessStatement[];
}

export interface AccessStatement {
  /** What the actions are about: the table or its index, the key that encrypts it, or the cache in front of it. */
  readonly on: "table" | "key" | "cache";
  readonly table: string;
  readonly index: string | undefined;
  /** Such as `dynamodb:Query`. */
  readonly actions: readonly string[];
  /** Partition keys that it is for, as IAM compares them; nothing: all of them. */
  readonly leadingKeys: readonly string[] | undefined;
}

/** How IAM compares partition keys: only where a part of them may be anything, by pattern. */
export function keyOperator(leadingKeys: readonly string[]): string {
  const isPattern = leadingKeys.some((key) => key.replaceAll(`\${*}`, "").includes("*"));
  return `ForAllValues:${isPattern ? "StringLike" : "StringEquals"}`;
}

/** One policy for each scope that patterns have, and one for what the design does by itself. */
export function policiesOf(
  plans: readonly Plan[],
  background: readonly Background[],
): readonly AccessPolicy[] {
  const scopes = new Map<string, { readonly scope: readonly string[]; readonly plans: Plan[] }>();
  for (const plan of plans) {
    if (plan.requests.length === 0) continue;
    const scope = plan.pattern.scope.toSorted();
    const key = JSON.stringify(scope);
    const found = scopes.get(key) ?? { scope, plans: [] };
    found.plans.push(plan);
    scopes.set(key, found);
  }
  const ofPatterns = [...scopes.values()]
    .toSorted((a, b) => (JSON.stringify(a.scope) < JSON.stringify(b.scope) ? -1 : 1))
    .map(({ scope, plans: own }) => ({
      scope,
      name: scope.length === 0 ? ["application"] : scope,
      patterns: own.map(({ pattern }) => pattern.id),
      about: `For the patterns ${own.map(({ pattern }) => pattern.id).join(", ")}`,
      statements: statementsOf(scope, own),
    }));
  const behind = background.filter(({ requests }) => requests.length > 0);
  const ofFunctions = {
    scope: [],
    patterns: [],
    name: ["background"],
    about: `For functions that keep up ${behind.map(({ name }) => name).join(", ")}`,
    statements: statementsOf([], behind),
  };
  return [...ofPatterns, ...(behind.length === 0 ? [] : [ofFunctions])].flatMap(inParts);
}

/** A policy has a greatest length. What is longer becomes several, to be attached together. */
function inParts(policy: AccessPolicy): readonly AccessPolicy[] {
  const parts: AccessStatement[][] = [];
  let room = 0;
  for (const statement of policy.statements) {
    const length = lengthOf(statement);
    if (length > room) {
      parts.push([]);
      room = policyCharactersMax - JSON.stringify({ Version: "2012-10-17", Statement: [] }).length;
    }
    room -= length;
    parts.at(-1)?.push(statement);
  }
  if (parts.length < 2) return [policy];
  return parts.map((statements, i) => ({
    ...policy,
    name: [...policy.name, String(i + 1)],
    about: `${policy.about} (part ${i + 1} of ${parts.length})`,
    statements,
  }));
}

/** `arn:aws-us-gov:dynamodb:ap-southeast-1:123456789012:table/`, for the longest Region and partition. */
const arnStart = 64;
/** A table with periods has an ARN for each; so many are thought of. */
const arns = 4;

function lengthOf({ on, table, index, actions, leadingKeys }: AccessStatement): number {
  const arn = arnStart + prefixMax + table.length + (index === undefined ? 0 : index.length + 7);
  const keys = leadingKeys === undefined ? 0 : JSON.stringify(leadingKeys).length + 90;
  return 60 + JSON.stringify(actions).length + keys + arn * arns + (on === "key" ? 120 : 0);
}

interface Need {
  readonly table: string;
  readonly index: string | undefined;
  readonly action: string;
  /** Nothing if it may be every partition key. */
  readonly key: string | undefined;
}

interface Work {
  readonly requests: readonly PlannedRequest[];
  readonly pattern?: Plan["pattern"];
}

function statementsOf(scope: readonly string[], work: readonly Work[]): AccessStatement[] {
  const needs = work.flatMap(({ requests }) => requests.flatMap((one) => needsOf(scope, one)));
  const actions = groupBy(needs, ({ table, index, action }) =>
    JSON.stringify([table, index ?? null, action]),
  );
  // Actions with the same keys are one statement.
  const allowed = actions.map((same) => {
    const [first] = same as [Need];
    const keys = same.map(({ key }) => key);
    // The application may use any key, and where one request may, a condition would say nothing.
    const isOpen = scope.length === 0 || keys.includes(undefined);
    const leadingKeys = isOpen ? undefined : [...new Set(keys as string[])].toSorted();
    return { ...first, leadingKeys };
  });
  const statements = groupBy(allowed, ({ table, index, leadingKeys }) =>
    JSON.stringify([table, index ?? null, leadingKeys ?? null]),
  );
  const onTables = statements
    .map((same) => {
      const [{ table, index, leadingKeys }] = same as [(typeof same)[number]];
      const actions = same.map(({ action }) => action).toSorted();
      return { on: "table" as const, table, index, actions, leadingKeys };
    })
    .toSorted((a, b) => (JSON.stringify(orderOf(a)) < JSON.stringify(orderOf(b)) ? -1 : 1));
  return [...onTables, ...cacheStatements(scope, work), ...keyStatements(work)];
}

/**
 * Reads through a cache are allowed on the cache. It knows no conditions on keys, so who is bound to a scope reads
 * past it.
 */
function cacheStatements(scope: readonly string[], work: readonly Work[]): AccessStatement[] {
  if (scope.length > 0) return [];
  const actions = new Map<string, Set<string>>();
  for (const { pattern, requests } of work) {
    for (const request of requests) {
      if (request.kind === "write" || pattern === undefined) continue;
      if (!request.table.dax?.patterns.includes(pattern.id)) continue;
      const found = actions.get(request.table.name) ?? new Set();
      const { operation } = request;
      found.add(`dax:${operation === "TransactGetItems" ? "GetItem" : operation}`);
      actions.set(request.table.name, found);
    }
  }
  return [...actions].map(([table, found]) => ({
    on: "cache",
    table,
    index: undefined,
    actions: [...found].toSorted(),
    leadingKeys: undefined,
  }));
}

/** The service decrypts a table in the name of whoever asks. */
function keyStatements(work: readonly Work[]): AccessStatement[] {
  const tables = work
    .flatMap(({ requests }) => requests)
    .flatMap((request) =>
      request.kind === "write"
        ? request.actions.map(({ record }) => record.table)
        : [request.table],
    )
    .filter(({ encryption }) => typeof encryption === "object");
  return [...new Set(tables.map(({ name }) => name))].toSorted().map((table) => ({
    on: "key",
    table,
    index: undefined,
    actions: ["kms:Decrypt"],
    leadingKeys: undefined,
  }));
}

function orderOf({ table, index, actions }: AccessStatement) {
  return [table, index ?? "", actions];
}

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

function needsOf(scope: readonly string[], request: PlannedRequest): readonly Need[] {
  if (request.kind === "write") {
    return request.actions.map((action) => ({
      table: action.record.table.name,
      index: undefined,
      action: `dynamodb:${writeName(request.operation, action)}`,
      key: leadingKey(scope, action.record.key[0]?.text),
    }));
  }
  const { operation, table, index, partition } = request;
  const [only] = partition;
  return [
    {
      table: table.name,
      index: index?.name,
      action: `dynamodb:${operation === "TransactGetItems" ? "GetItem" : operation}`,
      // What IAM compares if an index has several partition attributes is not said anywhere: no condition.
      key: partition.length === 1 ? leadingKey(scope, only?.text) : undefined,
    },
  ];
}

/** The parts of a transaction are allowed one by one. */
function writeName(operation: string, { kind }: WriteAction): string {
  if (operation === "BatchWriteItem") return operation;
  if (kind === "put") return "PutItem";
  if (kind === "update") return "UpdateItem";
  return kind === "delete" ? "DeleteItem" : "ConditionCheckItem";
}

/**
 * What the partition key of an item looks like for a caller: fixed text as it is, the scope's values from the
 * tags of the principal, and anything for the rest. Nothing if that would be anything at all.
 */
function leadingKey(scope: readonly string[], text: KeyText | undefined): string | undefined {
  const parts = (text?.segments ?? []).map((segment) => {
    if (segment.kind === "text") return literal(segment.text);
    const isScope =
      segment.kind === "attribute" &&
      segment.transforms.length === 0 &&
      scope.includes(segment.attribute);
    return isScope ? `\${aws:PrincipalTag/${tagKey(segment.attribute)}}` : "*";
  });
  return parts.every((part) => part === "*") ? undefined : parts.join("");
}

/** IAM reads `*`, `?` and `${` in values: what is meant as it is, is said by its name. */
function literal(text: string): string {
  return text.replaceAll(/[*?$]/g, (one) => `\${${one}}`);
}

/** The tag of the caller's session that holds the value of an attribute. */
export function tagKey(attribute: string): string {
  return attribute.replaceAll(/[^A-Za-z0-9_.:/=+@-]/g, "_").slice(0, 128);
}

import type { KeyText } from "../../model/key-text.ts";
import type { Plan, PlannedRequest, WriteAction } from "../plans/plan.ts";

/** What a caller may do who is bound to a scope: exactly what the patterns of that scope do. */
export interface AccessPolicy {
  /** The attributes whose values the caller is bound to; none: the application itself. */
  readonly scope: readonly string[];
  /** The ids of its patterns. */
  readonly patterns: readonly string[];
  readonly statements: readonly AccessStatement[];
}

export interface AccessStatement {
  readonly table: string;
  readonly index: string | undefined;
  /** Such as `dynamodb:Query`. */
  readonly actions: readonly string[];
  /** Partition keys that it is for, as IAM compares them; nothing: all of them. */
  readonly leadingKeys: readonly string[] | undefined;
}

/** One policy for each scope that patterns have. */
export function policiesOf(plans: readonly Plan[]): readonly AccessPolicy[] {
  const scopes = new Map<string, { readonly scope: readonly string[]; readonly plans: Plan[] }>();
  for (const plan of plans) {
    if (plan.requests.length === 0) continue;
    const scope = plan.pattern.scope.toSorted();
    const key = JSON.stringify(scope);
    const found = scopes.get(key) ?? { scope, plans: [] };
    found.plans.push(plan);
    scopes.set(key, found);
  }
  return [...scopes.values()]
    .toSorted((a, b) => (JSON.stringify(a.scope) < JSON.stringify(b.scope) ? -1 : 1))
    .map(({ scope, plans: own }) => ({
      scope,
      patterns: own.map(({ pattern }) => pattern.id),
      statements: statementsOf(scope, own),
    }));
}

interface Need {
  readonly table: string;
  readonly index: string | undefined;
  readonly action: string;
  /** Nothing if it may be every partition key. */
  readonly key: string | undefined;
}

function statementsOf(scope: readonly string[], plans: readonly Plan[]): AccessStatement[] {
  const needs = plans.flatMap(({ requests }) => requests.flatMap((one) => needsOf(scope, one)));
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
  return statements
    .map((same) => {
      const [{ table, index, leadingKeys }] = same as [(typeof same)[number]];
      return { table, index, actions: same.map(({ action }) => action).toSorted(), leadingKeys };
    })
    .toSorted((a, b) => (JSON.stringify(orderOf(a)) < JSON.stringify(orderOf(b)) ? -1 : 1));
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

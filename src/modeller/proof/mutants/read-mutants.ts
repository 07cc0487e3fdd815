import type { Model } from "../../../model/model.ts";
import type { Plan, ReadRequest } from "../../plans/plan.ts";
import type { StoredRecord } from "../../records/record.ts";
import type { Execute } from "../../requests/run.ts";
import { constantValue, holds } from "../../values/holds.ts";
import type { MutantOperator } from "../witnesses/witness.ts";
import { withTable } from "./key-mutants.ts";
import { orderOf, whyOrderIsRestored } from "./key-reasons.ts";
import { changingReads, type Mutant, readsIn, same, takesLists } from "./mutant.ts";

/** What can be wrong with how a read is sent and its answer taken, and with what is there to be read. */
export function readMutants(model: Model, plan: Plan): readonly Mutant[] {
  if (plan.pattern.kind !== "read") return [];
  return [
    ...projectionMutants(model, plan),
    ...storedMutants(model, plan),
    ...requestMutants(model, plan),
    ...callerMutants(model, plan),
  ];
}

/** Attributes that an answer has, and that are in no key as they are. */
function shownOf({ record, returns }: ReadRequest): readonly string[] {
  const keys = [
    ...record.key,
    ...record.memberships.flatMap(({ partition, sort }) => [...partition, ...sort]),
  ];
  const held = new Set([...record.entity.id, ...keys.flatMap(({ text }) => text.native ?? [])]);
  const asked = returns.filter((name) => !held.has(name));
  const always = asked.filter((name) => record.entity.attributes.get(name)?.isOptional === false);
  return always.length > 0 ? always : asked;
}

/** An attribute that is asked for is not in the index, whichever requests read that. */
function projectionMutants(model: Model, plan: Plan): readonly Mutant[] {
  const reads = readsIn(plan);
  const mutants = reads.flatMap((request): readonly Mutant[] => {
    const { table, index, record } = request;
    if (index === undefined || index.local || index.projection === "keys") return [];
    const all =
      index.projection === "all" ? [...record.entity.attributes.keys()] : index.projection;
    const lost = shownOf(request).find((name) => all.includes(name));
    if (lost === undefined) return [];
    const without = { ...index, projection: all.filter((name) => name !== lost) };
    const indexes = new Map([...table.indexes, [index.name, without]]);
    const isFetched = reads.every(
      (one, i) => one.index !== index || (isReadLater(reads, i) && !isUsed(reads, i, lost)),
    );
    return [
      {
        name: `${lost} missing from ${index.name}`,
        operator: { kind: "projection", part: request.part, attribute: lost },
        model: withTable(model, { ...table, indexes }),
        requests: same,
        ...(isFetched && { reason: `${record.name} is read from its table afterwards` }),
      },
    ];
  });
  return [...new Map(mutants.map((one) => [one.name, one])).values()];
}

/** Whether the items that a request finds in an index are read from their table by a later one. */
function isReadLater(reads: readonly ReadRequest[], at: number): boolean {
  const own = reads[at];
  return reads
    .slice(at + 1)
    .some(
      ({ part, record, index }) =>
        part === own?.part && record === own.record && index === undefined,
    );
}

/** Whether what the index has of an attribute matters before the item is read from its table. */
function isUsed(reads: readonly ReadRequest[], at: number, name: string): boolean {
  const { filter = [], remainder } = reads[at] ?? {};
  const { links = [], filter: left = [], order = [] } = remainder ?? {};
  const isBound = reads.some(({ bindings }) =>
    [...bindings.values()].some(
      (one) => one.kind === "result" && one.request === at && one.attribute === name,
    ),
  );
  return isBound || [...filter, ...links, ...left, ...order].some((one) => one.attribute === name);
}

/** An attribute that is asked for is not stored with the item. */
function storedMutants(model: Model, plan: Plan): readonly Mutant[] {
  const seen = new Set<StoredRecord>();
  const { actions, together } = plan.pattern;
  const asked = new Set([...actions, ...together].map(({ entity }) => entity));
  return readsIn(plan).flatMap((request): readonly Mutant[] => {
    const { record, table } = request;
    const placement = table.placements.get(record.entity.name);
    // Of an item that is read for what lies inside of it nothing else is shown.
    if (!asked.has(record.entity.name)) return [];
    if (seen.has(record) || placement === undefined || record.role === "unique") return [];
    seen.add(record);
    const own = new Set(
      record.attributes.flatMap(({ content }) =>
        content.kind === "attribute" ? [content.attribute.name] : [],
      ),
    );
    const lost = shownOf(request).find((name) => own.has(name));
    if (lost === undefined) return [];
    const less = (list: readonly string[]): readonly string[] =>
      list.filter((name) => name !== lost);
    const placements = new Map(table.placements).set(record.entity.name, {
      ...placement,
      stores: less(placement.stores),
      splits: placement.splits.map((split) => ({ ...split, attributes: less(split.attributes) })),
    });
    return [
      {
        name: `${lost} of ${record.name} is not stored`,
        operator: { kind: "stored", part: request.part, attribute: lost },
        model: withTable(model, { ...table, placements }),
        requests: same,
      },
    ];
  });
}

function requestMutants(model: Model, plan: Plan): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const reads = readsIn(plan);
  const add = (
    name: string,
    operator: MutantOperator,
    change: (request: ReadRequest) => ReadRequest,
    reason?: string,
  ): void => {
    const requests = changingReads(change);
    mutants.push({ name, operator, model, requests, ...(reason !== undefined && { reason }) });
  };
  if (reads.some((one) => fewerShards(one) !== one)) {
    add("a shard is not asked", { kind: "shard" }, fewerShards);
  }
  const sorted = reads.filter(
    (one) => one.operation === "Query" && orderOf(plan, one).length > 0 && !isOneItem(one),
  );
  if (sorted.length > 0) {
    add(
      "read in the other direction",
      { kind: "direction" },
      (one) => ({ ...one, forward: !one.forward }),
      whyOrderIsRestored(sorted),
    );
  }
  for (const name of new Set(reads.flatMap(({ filter }) => filter.map((one) => one.attribute)))) {
    add(`the filter on ${name} is left out`, { kind: "filter", attribute: name }, (one) => ({
      ...one,
      filter: one.filter.filter(({ attribute }) => attribute !== name),
    }));
  }
  for (const name of new Set(reads.flatMap(({ together }) => together.map((one) => one.name)))) {
    add(
      `${name} is not taken from what comes`,
      { kind: "together", part: 1, attribute: name },
      (one) => ({
        ...one,
        together: one.together.filter((record) => record.name !== name),
        beside: [...one.beside, ...one.together.filter((record) => record.name === name)],
      }),
    );
  }
  return mutants;
}

/** Its key is known as a whole, so there is one item or none. */
function isOneItem({ index, sort }: ReadRequest): boolean {
  return index === undefined && sort.length > 0 && sort.every(({ kind }) => kind === "equals");
}

/** Each call reads one entity at most: its id or a unique value is stated, or a sparse index has only one. */
function isOneEntity({
  table,
  index,
  record,
  partition,
  sort,
  beside,
  together,
}: ReadRequest): boolean {
  if (beside.length + together.length > 0 || table.versioning !== undefined) return false;
  const { entity } = record;
  const stated = new Set(
    [...partition, ...sort.filter(({ kind }) => kind === "equals")].flatMap(
      ({ text }) => text.native ?? [],
    ),
  );
  const only = record.memberships.find((one) => one.index === index)?.only ?? [];
  const isOnlyValue = (name: string): boolean => {
    const attribute = entity.attributes.get(name);
    const allowed = attribute?.values?.filter(({ value }) => {
      const own = constantValue(attribute, value);
      return (
        own !== undefined &&
        holds(
          only.filter((one) => one.attribute === name),
          entity,
          new Map([[name, own]]),
        )
      );
    });
    return allowed !== undefined && allowed.length <= 1;
  };
  return (
    entity.id.every((name) => stated.has(name) || isOnlyValue(name)) ||
    [...stated].some((name) => entity.attributes.get(name)?.unique)
  );
}

/** The last shard is forgotten by readers; the text for writing is another one. */
function fewerShards(request: ReadRequest): ReadRequest {
  let isFewer = false;
  const partition = request.partition.map((condition) => ({
    ...condition,
    text: {
      ...condition.text,
      segments: condition.text.segments.map((segment) => {
        // With one less the numbers would have less digits: that is another mistake.
        const isSame =
          segment.kind === "shard" &&
          String(segment.count - 1).length === String(segment.count - 2).length;
        const isAsked = request.times.some(({ why }) => why === "shards");
        if (segment.kind !== "shard" || !isSame || !isAsked) return segment;
        isFewer = true;
        return { ...segment, count: segment.count - 1 };
      }),
    },
  }));
  return isFewer ? { ...request, partition } : request;
}

/** What can go wrong after the answers have come. */
function callerMutants(model: Model, plan: Plan): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const add = (
    name: string,
    operator: MutantOperator,
    caller: Mutant["caller"],
    reason?: string,
  ): void => {
    mutants.push({
      name,
      operator,
      model,
      requests: same,
      ...(caller && { caller }),
      ...(reason !== undefined && { reason }),
    });
  };
  const reads = readsIn(plan);
  if (reads.some(isPaged)) {
    add("only the first page is read", { kind: "page" }, { execute: onePage });
  }
  const [action] = plan.pattern.actions;
  const [main] = reads;
  const limit = action?.limit;
  if (typeof limit === "number" && main !== undefined && main.operation === "Query") {
    add(
      "more is answered than the limit",
      { kind: "limit" },
      {
        pattern: (pattern) => ({
          ...pattern,
          actions: pattern.actions.map((one) => ({ ...one, limit: undefined })),
        }),
      },
      main.limit !== undefined && (isOneCall(main) || !(main.merges || main.sortsInClient))
        ? "the request itself asks for no more"
        : undefined,
    );
  }
  const many = asksSeveral(plan);
  if (many && plan.requests.every(({ kind }) => kind === "read")) {
    add(
      "only the first of several values is asked for",
      { kind: "values" },
      {
        inputs: (inputs) => ({
          ...inputs,
          parameters: new Map(
            [...inputs.parameters].map(([name, values]) => [name, values.slice(0, 1)]),
          ),
        }),
      },
    );
  }
  return mutants;
}

function isOneCall({ times, merges, table }: ReadRequest): boolean {
  return times.length === 0 && !merges && table.periods === undefined;
}

function asksSeveral({ pattern }: Plan): boolean {
  return pattern.actions.some(({ where }) =>
    where.some(
      ({ operator, operands }) =>
        (operator === "one-of" || (operator === "equals" && takesLists(pattern))) &&
        operands.some(({ kind }) => kind === "parameter"),
    ),
  );
}

/** There may be another page with something that is wanted. */
export function isPaged(request: ReadRequest): boolean {
  if (request.operation !== "Scan" && request.operation !== "Query") return false;
  if (isOneItem(request) || isOneEntity(request)) return false;
  if (request.operation === "Scan") return true;
  // A page of as many as are wanted is enough, unless something on it is not.
  return request.limit === undefined || request.filter.length > 0 || request.beside.length > 0;
}

const onePage =
  (execute: Execute): Execute =>
  async (operation, request) => {
    const { LastEvaluatedKey: _, ...rest } = (await execute(operation, request)) as {
      readonly LastEvaluatedKey?: object;
    };
    return rest;
  };

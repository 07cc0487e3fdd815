import type { Compare } from "./history.ts";
import type { Answer, Oracle } from "./oracle.ts";
import {
  compareRows,
  expectedPage,
  identity,
  type Row,
  type Source,
  selected,
  sourceOf,
} from "./oracle-pages.ts";
import { queryRequest, type Request, scanRequest } from "./requests.ts";
import type { KeyPart, QueryStep, ScanStep } from "./steps.ts";
import type { Target } from "./target.ts";
import { canonicalItem, type Item, stable } from "./values.ts";

/**
 * Query and Scan, page by page to the end. The service leaves the order of partitions, and of index
 * entries with equal keys, open: there the order is learned from a plain read first, which is checked to
 * be one of those allowed, and everything else must then agree with it.
 */
export async function checkPages(
  target: Target,
  oracle: Oracle,
  step: QueryStep | ScanStep,
  compare: Compare,
): Promise<void> {
  const source = sourceOf(oracle, step);
  if (typeof source === "string") {
    const keys = keysOfMissing(oracle, step);
    const request =
      step.step === "query"
        ? queryRequest(step, keys, undefined)
        : scanRequest(step, undefined, undefined);
    compare("", { error: source }, await target.send(request));
    return;
  }
  if (step.step === "query") await checkQuery(target, source, step, compare);
  else await checkScan(target, source, step, compare);
}

/** A query of nothing needs some key names all the same. */
function keysOfMissing(oracle: Oracle, step: QueryStep | ScanStep) {
  const table = oracle.tables.get(step.table);
  const found =
    step.index === undefined ? table?.spec : table?.indexes.find(({ name }) => name === step.index);
  const unknown = (stem: string): KeyPart[] =>
    Array.from({ length: 4 }, (_, i) => [`${stem}${i}`, "S"] as const);
  return found ?? { hash: unknown("one"), range: unknown("two") };
}

async function checkQuery(
  target: Target,
  source: Source,
  step: QueryStep,
  compare: Compare,
): Promise<void> {
  let rows = selected(source, step);
  const tied = rows.some(
    ({ held }, i) => i > 0 && compareRows(source, (rows[i - 1] as Row).held, held) === 0,
  );
  if (tied) {
    const { limit: _, filter: __, projection: ___, select: ____, ...plain } = step;
    const learned = await learn(target, (start) => queryRequest(plain, source, start));
    const sorted = learned.every((held, i) => {
      const previous = learned[i - 1];
      if (previous === undefined) return true;
      const order = compareRows(source, previous, held);
      return step.reverse ? order >= 0 : order <= 0;
    });
    compare("learned in order", true, sorted);
    rows = reordered(source, rows, learned, compare);
  }
  let start: Item | undefined;
  if (step.start !== undefined) {
    start = step.start;
    const from = canonicalItem(step.start);
    const after = (held: Item) => compareRows(source, held, from) * (step.reverse ? -1 : 1) > 0;
    rows = rows.filter(({ held }) => after(held));
  }
  await walk(
    target,
    source,
    step,
    rows,
    compare,
    (from) => queryRequest(step, source, from),
    start,
  );
}

async function checkScan(
  target: Target,
  source: Source,
  step: ScanStep,
  compare: Compare,
): Promise<void> {
  const plain: ScanStep = {
    step: "scan",
    table: step.table,
    ...(step.index !== undefined && { index: step.index }),
  };
  const learned = await learn(target, (start) => scanRequest(plain, undefined, start));
  const rows = reordered(source, source.rows, learned, compare);
  checkPartitions(source, rows, compare);
  if (step.segments === undefined) {
    await walk(target, source, step, rows, compare, (from) => scanRequest(step, undefined, from));
    return;
  }
  // Which partitions a segment holds is open: learn it, then hold the segment to it.
  const { limit: _, filter: __, projection: ___, select: ____, ...whole } = step;
  const seen: Item[] = [];
  for (let segment = 0; segment < step.segments; segment += 1) {
    const part = await learn(target, (start) => scanRequest(whole, segment, start));
    seen.push(...part);
    const names = new Set(part.map((held) => identity(source, held)));
    const held = rows.filter((row) => names.has(identity(source, row.held)));
    checkPartitions(source, held, compare);
    const request = (from: Item | undefined) => scanRequest(step, segment, from);
    await walk(target, source, step, held, compare, request);
  }
  reordered(source, rows, seen, compare);
  const partitions = seen.map((held) => partitionOf(source, held));
  const changes = partitions.filter((name, i) => name !== partitions[i - 1]).length;
  compare("segments cut no partition", new Set(partitions).size, changes);
}

const partitionOf = ({ hash }: Source, held: Item): string =>
  stable(hash.map(([name]) => held[name]));

/** All rows of a partition stand together, in the order of their sort keys. */
function checkPartitions(source: Source, rows: readonly Row[], compare: Compare): void {
  const done = new Set<string>();
  rows.forEach(({ held }, i) => {
    const name = partitionOf(source, held);
    const previous = rows[i - 1]?.held;
    if (previous !== undefined && partitionOf(source, previous) === name) {
      compare(`order in partition ${name}`, true, compareRows(source, previous, held) <= 0);
    } else {
      compare(`partition ${name} in one piece`, false, done.has(name));
      done.add(name);
    }
  });
}

/** All items, in the order of the server. */
async function learn(
  target: Target,
  request: (start: Item | undefined) => Request,
): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const body = succeeded(await target.send(request(start)));
    items.push(...(body.Items as Item[]));
    start = body.LastEvaluatedKey as Item | undefined;
  } while (start !== undefined);
  return items;
}

function succeeded(answer: Answer): Record<string, unknown> {
  if ("error" in answer) return { Items: [answer] };
  return answer.answer;
}

/** The rows in the order that was learned, which must name each of them once. */
function reordered(
  source: Source,
  rows: readonly Row[],
  learned: readonly Item[],
  compare: Compare,
): Row[] {
  const byName = new Map(rows.map((row) => [identity(source, row.held), row]));
  const names = learned.map((held) => identity(source, held));
  compare("learned keys", [...byName.keys()].sort(), [...names].sort());
  return names.map((name) => byName.get(name) as Row);
}

async function walk(
  target: Target,
  source: Source,
  step: QueryStep | ScanStep,
  rows: readonly Row[],
  compare: Compare,
  request: (start: Item | undefined) => Request,
  first?: Item,
): Promise<void> {
  let left = rows;
  let start = first;
  for (let page = 0; ; page += 1) {
    const expected = expectedPage(source, step, left);
    const got = await target.send(request(start));
    compare(`page ${page}`, { answer: expected.answer }, got);
    start = expected.answer.LastEvaluatedKey as Item | undefined;
    if (start === undefined) return;
    left = left.slice(expected.rows);
  }
}

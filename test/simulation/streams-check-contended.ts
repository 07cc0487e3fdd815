import type { Change } from "./streams-changes.ts";
import { difference, eventOf, type ItemCase, type Problem, tell } from "./streams-check.ts";
import { mark } from "./streams-contended-writer.ts";
import type { StreamRecord } from "./streams-reader.ts";
import { type Item, same } from "./values.ts";

const events = ["INSERT", "MODIFY", "REMOVE"] as const;

const markOf = (item: Item | undefined): string => {
  const value = item?.[mark];
  return value !== undefined && "S" in value ? value.S : "";
};

/**
 * Of an item that several clients change at once nobody knows the order beforehand, but every value is
 * written once and replaced once. So images say which change a record tells of; then each change is what
 * the one before it has left, and the order agrees with what was acknowledged before the next was sent.
 * Where a view does not show enough, records are counted.
 */
export function checkContended(item: ItemCase, problem: Problem): readonly Change[] {
  const { name, changes, sure, found } = item;
  const complain = (text: string): void => problem(`${name}: ${text}`);
  const matched = new Set<Change>();
  const unknown = { INSERT: 0, MODIFY: 0, REMOVE: 0 };
  const told = identify(item);
  let latestStart = 0;
  found.forEach((record, i) => {
    checkTurn(found[i - 1], record, complain);
    const change = told[i];
    if (change === undefined) {
      unknown[record.eventName] += 1;
      return;
    }
    if (change === null) {
      complain(`nobody has been told of ${JSON.stringify(record)}`);
      return;
    }
    if (matched.has(change)) complain(`${tell(change)} is told twice`);
    matched.add(change);
    const differs = difference(record, change, item);
    if (differs !== "") complain(differs);
    const before = told[i - 1];
    if (before && !same(before.after, change.before)) {
      complain(`${tell(change)} is told after ${tell(before)}`);
    }
    if (change.end <= latestStart) complain(`${tell(change)} is told after what came later`);
    latestStart = Math.max(latestStart, change.start);
  });
  for (const event of events) {
    const left = changes.filter(
      (change) => !matched.has(change) && eventOf(change.before, change.after) === event,
    );
    const must = left.filter((change) => sure.has(change));
    if (unknown[event] < must.length) complain(`nothing tells of ${tell(must[0] as Change)}`);
    if (unknown[event] > left.length) complain(`there are too many records of ${event}`);
    // Which of them they are cannot be told; if all are there it does not matter.
    if (unknown[event] === left.length) for (const change of left) matched.add(change);
  }
  return [...matched];
}

/** By record: its change, null if there is none, nothing if the view does not show it. */
function identify({ changes, found, viewType }: ItemCase): (Change | null | undefined)[] {
  const writing = new Map(changes.map((change) => [markOf(change.after), change]));
  const replacing = new Map(changes.map((change) => [markOf(change.before), change]));
  const writerOf = (image: Item | undefined) => writing.get(markOf(image)) ?? null;
  const replacerOf = (image: Item | undefined) => replacing.get(markOf(image)) ?? null;
  return found.map(({ eventName, dynamodb }, i) => {
    if (viewType === "KEYS_ONLY") return undefined;
    if (dynamodb.NewImage !== undefined) return writerOf(dynamodb.NewImage);
    if (dynamodb.OldImage !== undefined) return replacerOf(dynamodb.OldImage);
    if (eventName === "REMOVE") {
      const image = found[i - 1]?.dynamodb.NewImage;
      return image && replacerOf(image);
    }
    const image = found[i + 1]?.dynamodb.OldImage;
    return image && writerOf(image);
  });
}

/** What is not there comes first, and comes again only when it has gone. */
function checkTurn(
  before: StreamRecord | undefined,
  { eventName }: StreamRecord,
  complain: Problem,
): void {
  if (before === undefined) return;
  if ((eventName === "INSERT") !== (before.eventName === "REMOVE")) {
    complain(`${eventName} comes after ${before.eventName}`);
  }
}

import { partitionBytesMax } from "../../capacity/throughput.ts";
import { bytesText, counted, listText, numberText, shareText } from "../lint/words.ts";
import type { Heat, KeyHeat, PlaceHeat } from "./heat.ts";
import type { KeyVerdict } from "./judge-key.ts";
import type { KeyLine } from "./key-load.ts";
import type { PlaceLimit, QuotaUse } from "./limits.ts";

/** Small loads keep their digits: a key with 0.05 requests per second has some. */
export function unitsText(units: number): string {
  if (units === 0) return "0";
  if (units < 0.01) return "less than 0.01";
  return units < 10
    ? units.toLocaleString("en-US", { maximumSignificantDigits: 2 })
    : numberText(units);
}

/** `4,445 of 1,000 write units`. */
export function verdictText({ direction, units, ceiling, over, uncertain }: KeyVerdict): string {
  const how = uncertain ? " at worst" : "";
  const word = over ? "too much" : "fine";
  return `${unitsText(units)} of ${numberText(ceiling)} ${direction} units${how}: ${word}`;
}

/** What is to be known of the keys of one kind, in sentences. The first says how many there are. */
export function keySentences(heat: KeyHeat): readonly string[] {
  const { family, read, write, collection } = heat;
  const sentences = [countSentence(heat)];
  for (const verdict of [write, read]) {
    if (verdict.units > 0) sentences.push(hottestSentence(heat, verdict));
  }
  sentences.push(...overSentences(heat));
  if (family.shards > 1 || write.over) sentences.push(...shardSentences(heat));
  if (collection !== undefined) sentences.push(...collectionSentences(heat));
  return sentences;
}

function countSentence({ family, visitsPerKey }: KeyHeat): string {
  const { count, shards, records } = family;
  const of = listText(records);
  if (count === undefined) return `Nobody said how many keys there are (${of}).`;
  const what = `${counted(count, "key")}${shards > 1 ? `, ${shards} shards counted,` : ""} for ${of}`;
  return `${what}; ${unitsText(visitsPerKey ?? 0)} visits of each per second at peak.`;
}

function hottestSentence({ family }: KeyHeat, verdict: KeyVerdict): string {
  const { hottest } = family;
  const { at, share, lines } = hottest[verdict.direction];
  const where = at.length === 0 ? "" : ` (${at.join(", ")})`;
  const from = [...byPattern(lines)].filter(([, units]) => units >= verdict.units / 20);
  const texts = from.slice(0, 4).map(([who, units]) => `${who} ${unitsText(units)}`);
  const who = texts.length === 0 ? "" : ` From ${listText(texts)}.`;
  return `The hottest key${where} gets ${shareText(share)}: ${verdictText(verdict)}.${who}`;
}

/** Units at peak by who asks; a pattern may ask several times. */
function byPattern(lines: readonly KeyLine[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const { pattern, what, units } of lines) {
    const who = pattern ?? what;
    all.set(who, (all.get(who) ?? 0) + units.peak);
  }
  return all;
}

function overSentences({ family, read, write, unsplittable }: KeyHeat): readonly string[] {
  const sentences: string[] = [];
  for (const { over, uncertain, throttledShare, direction } of [write, read]) {
    if (!over) continue;
    const share = `${shareText(throttledShare)} of these ${direction}s are throttled`;
    sentences.push(
      uncertain
        ? `If all is on one key, ${share}; ${family.open[0] ?? "say how many there are"}`
        : `At peak ${share}. Adaptive capacity gives a hot key a partition of its own, and no more than that.`,
    );
  }
  if (sentences.length > 0) sentences.push(splitSentence(unsplittable));
  return sentences;
}

function splitSentence(why: KeyHeat["unsplittable"]): string {
  switch (why) {
    case "rising sort key":
    case "falling sort key":
      return `A ${why} keeps the load at one end, so the collection cannot be split where it is hot.`;
    case "local index":
      return "A local index keeps a collection in one partition.";
    case "no sort key":
      return "One item cannot be split.";
    case undefined:
      return "The service may split the collection by its sort key, but only after minutes of heat.";
  }
}

/** How many shards, why, and what they cost those who read. */
function shardSentences({ shards, write, read }: KeyHeat): readonly string[] {
  const { unsharded, needed, present, gathering } = shards;
  const division = `${unitsText(unsharded)} write units / ${numberText(write.ceiling)}`;
  const there = present > 1 ? `, ${present} there` : "";
  const sentences = [
    needed > 1
      ? `Shards: ${needed} needed (${division}, rounded up)${there}.`
      : `Shards: none needed (${division})${there}.`,
  ];
  const { patterns, now, after } = gathering;
  const who = listText(patterns.slice(0, 5));
  if (patterns.length > 0 && present > 1) {
    const less = after < 0.99 * now ? `; ${needed} would take ${unitsText(after)}` : "";
    const cost = `${unitsText(now)} read units per second on average${less}`;
    sentences.push(`All ${present} are asked for ${who}: ${cost}.`);
  } else if (patterns.length > 0 && needed > 1) {
    const cost = `${unitsText(after)} read units per second on average instead of ${unitsText(now)}`;
    sentences.push(
      `All ${needed} would be asked for ${who}: ${cost}, unless the shard can be calculated.`,
    );
  }
  if (read.over && !write.over) {
    sentences.push(
      "Shards do not help those who ask all of them: cache the answer or keep copies.",
    );
  }
  return sentences;
}

function collectionSentences({ collection, collectionOver }: KeyHeat): readonly string[] {
  const largest = Math.max(collection?.average ?? 0, collection?.max ?? 0);
  if (collectionOver) {
    return [
      `A collection can have ${bytesText(largest)}; with a local index it may have ${bytesText(partitionBytesMax)}.`,
    ];
  }
  return largest > partitionBytesMax / 10
    ? [
        `Up to ${bytesText(largest)} lie under one key; a partition holds ${bytesText(partitionBytesMax)}.`,
      ]
    : [];
}

export function limitSentence({ kind, direction, limit, peak, over, passing }: PlaceLimit): string {
  const figures = `${numberText(peak)} ${direction} units at peak, ${numberText(limit)}`;
  const name = {
    provisioned: "provisioned",
    "auto scaling": "the most that auto scaling gives",
    maximum: "the maximum that is set",
    "new table": "what it can do when it is new",
  }[kind];
  if (!over) return `${figures} ${name}: fine.`;
  const part = shareText(1 - limit / peak);
  if (kind === "new table") {
    return `${figures} ${name}: the first peak is throttled by up to ${part} until it has grown. Cure: prewarm: { ${direction}: ${Math.ceil(peak)} }.`;
  }
  return passing
    ? `${figures} ${name}: auto scaling follows after minutes; unused units of 300 seconds help until then.`
    : `${figures} ${name}: ${part} is throttled for as long as it lasts.`;
}

export function quotaSentence({ table, direction, peak, quota }: QuotaUse): string {
  return `${table} and its indexes ask for ${numberText(peak)} ${direction} units at peak; the default quota of a table is ${numberText(quota)}.`;
}

/** Every write to the table also writes entries. */
export function amplificationSentence({
  load,
  amplification,
  keys,
}: PlaceHeat): string | undefined {
  if (amplification === undefined) return undefined;
  const hottest = Math.max(0, ...keys.map(({ write }) => write.units));
  return `Each write unit of ${load.table.name} makes ${unitsText(amplification)} here: ${unitsText(load.write.peak)} per second at peak, ${unitsText(hottest)} of them on the hottest key of at most 1,000.`;
}

/** The verdict in one sentence. */
export function headline({ name, places, quotas, empty }: Heat): string {
  if (empty !== undefined) return `${name}: ${empty}`;
  const hot = places.filter(({ keys }) =>
    keys.some(({ read, write, collectionOver }) => read.over || write.over || collectionOver),
  );
  const small = places.filter(({ limits }) => limits.some(({ over, passing }) => over && !passing));
  const parts: string[] = [];
  const named = (list: readonly PlaceHeat[]): string => listText(list.map(({ load }) => load.name));
  if (hot.length > 0) parts.push(`one key gets more than a partition can do in ${named(hot)}`);
  if (small.length > 0) parts.push(`the throughput that is set is too small for ${named(small)}`);
  const over = [...new Set(quotas.filter((one) => one.over).map(({ table }) => table))];
  if (over.length > 0) parts.push(`${listText(over)} needs a higher quota`);
  return parts.length === 0
    ? `${name}: no key gets more than a partition can do.`
    : `${name}: ${parts.join("; ")}.`;
}

/** Whether a kind of key is worth more than a line. */
export function isNotable({ family, read, write, collectionOver }: KeyHeat): boolean {
  const part = ({ units, ceiling }: KeyVerdict): number => units / ceiling;
  return (
    part(read) >= 0.1 ||
    part(write) >= 0.1 ||
    family.shards > 1 ||
    collectionOver ||
    family.open.length > 0
  );
}

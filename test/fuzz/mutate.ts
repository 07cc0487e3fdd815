import type { Random } from "../random.ts";
import {
  type Json,
  Members,
  placesOf,
  RawText,
  removeAt,
  replaceAt,
  textOf,
  valueAt,
} from "./json.ts";
import { attributeName, oddJson, oddValue, text } from "./values.ts";

/** Breaks one or a few places of a body that was fine. */
export function mutateTree(random: Random, root: Members): void {
  for (let left = 1 + random.few(3); left > 0; left -= 1) {
    const places = placesOf(root);
    if (places.length === 0) return;
    const place = random.pick(places);
    const { holder, at } = place;
    random.choose<unknown>([
      [4, () => replaceAt(place, oddJson(random))],
      [4, () => replaceAt(place, oddValue(random))],
      [3, () => removeAt(place)],
      [
        2,
        () =>
          replaceAt(place, valueAt(random.pick(places)) instanceof Members ? null : text(random)),
      ],
      [1, () => replaceAt(place, [valueAt(place)])],
      [1, () => replaceAt(place, new Members([[attributeName(random), valueAt(place)]]))],
      [2, () => duplicate(random, holder, at)],
      [2, () => rename(random, holder, at)],
      [0.05, () => multiply(random, holder, at)],
    ]);
  }
}

/** Under the same name in an object, which JSON allows. */
function duplicate(random: Random, holder: Members | Json[], at: number): void {
  if (!(holder instanceof Members)) {
    holder.splice(at, 0, holder[at] as Json);
    return;
  }
  const [name, value] = holder.entries[at] as [string, Json];
  holder.entries.splice(at, 0, [name, random.chance(0.5) ? value : oddValue(random)]);
}

function rename(random: Random, holder: Members | Json[], at: number): void {
  if (!(holder instanceof Members)) return;
  const entry = holder.entries[at] as [string, Json];
  entry[0] = random.pick([
    attributeName(random),
    text(random),
    "__proto__",
    entry[0].toLowerCase(),
    entry[0].toUpperCase(),
    `${entry[0]} `,
  ]);
}

function multiply(random: Random, holder: Members | Json[], at: number): void {
  const count = random.pick([26, 101, 256, 10_000]);
  if (holder instanceof Members) {
    const [name, value] = holder.entries[at] as [string, Json];
    const written = new RawText(textOf(value));
    if (written.text.length * count > 4_000_000) return;
    for (let copy = 0; copy < count; copy += 1) holder.entries.push([`${name}${copy}`, written]);
    return;
  }
  const written = new RawText(textOf(holder[at] as Json));
  if (written.text.length * count > 4_000_000) return;
  for (let copy = 0; copy < count; copy += 1) holder.push(written);
}

const wholeBodies = [
  "",
  "[]",
  "{}",
  '"x"',
  "1",
  "null",
  "true",
  "-0",
  "{",
  "}",
  "{}{}",
  "{} x",
  "nul",
  "NaN",
  "{'a':1}",
  "{a:1}",
  '{"a":01}',
  '{"a":1,}',
  '{"TableName":"\u0000"}',
  '{"TableName":"fuzz.simple\n"}',
  "\u0000",
  "<xml/>",
  "a=b&c=d",
  " ",
  '[{"TableName":"fuzz.simple"}]',
  '{"__proto__":{"TableName":"fuzz.simple"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
];

/** Breaks the written text, or puts another in its place. */
export function mutateText(random: Random, body: Buffer): Buffer {
  const at = random.between(0, Math.max(body.length - 1, 0));
  const to = Math.min(body.length, at + random.between(1, 20));
  return random.choose<Buffer>([
    [3, () => body.subarray(0, at)],
    [2, () => Buffer.concat([body.subarray(0, at), body.subarray(to)])],
    [2, () => Buffer.concat([body.subarray(0, to), body.subarray(at)])],
    [3, () => flipped(random, body)],
    [1, () => Buffer.concat([Buffer.from("\ufeff"), body])],
    [1, () => Buffer.concat([body, Buffer.from(random.pick(["x", "\u0000", "}", "{}", " \n\t"]))])],
    [1, () => Buffer.from(body.toString("latin1"), "utf16le")],
    [
      1,
      () =>
        Buffer.concat([body.subarray(0, at), Buffer.from([0xc0, 0x80, 0xff]), body.subarray(at)]),
    ],
    [3, () => Buffer.from(random.pick(wholeBodies))],
    [0.2, () => Buffer.from("[".repeat(random.pick([33, 10_000, 200_000])))],
    [0.2, () => Buffer.from(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)],
    [0.2, () => Buffer.from(random.times(200, () => random.between(0, 255)))],
    [0.05, () => Buffer.concat([Buffer.alloc(1_000_000, " "), body])],
  ]);
}

function flipped(random: Random, body: Buffer): Buffer {
  const copy = Buffer.from(body);
  for (let left = 1 + random.few(5); left > 0 && copy.length > 0; left -= 1) {
    const at = random.between(0, copy.length - 1);
    copy[at] = random.chance(0.5)
      ? random.between(0, 255)
      : (copy[at] as number) ^ (1 << random.between(0, 7));
  }
  return copy;
}

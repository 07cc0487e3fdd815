import { BoundedCache } from "../../base/bounded-cache.ts";
import type { SeededRandom } from "../../base/random.ts";
import * as words from "./words.ts";

/** What a text is for: it decides which words it is made of. Its size is kept to the byte. */
export interface TextPurpose {
  readonly entity: string;
  readonly attribute: string;
  readonly personal: boolean;
}

type Maker = (bytes: number, random: SeededRandom, purpose: TextPurpose) => string;

const people =
  /person|people|user|customer|member|author|employee|player|patient|student|contact|driver/i;

/** The first that fits the attribute's name makes the text. */
const makers: readonly (readonly [RegExp, Maker])[] = [
  [/e_?-?mail/, email],
  [/phone|mobile|fax/, (bytes, random) => `+${digits(bytes - 1, random)}`.slice(0, bytes)],
  [
    /(url|uri|link|website|avatar|image)$/,
    (bytes, random) => path(bytes, random, "https://example.com/"),
  ],
  [/(s3)?key$|path$|file(name)?$|photo/, (bytes, random) => path(bytes, random, "files/")],
  [/html|markup|template/, html],
  [/token|hash|secret|password|signature|checksum|etag|digest|fingerprint/, hex],
  [/(^|_)ip(address)?$/, (bytes, random) => fitted(ipAddress(random), bytes, random)],
  [/firmware|release|version/, (bytes, random) => dotted(bytes, random)],
  [/(zip|post)_?code|^zip$/, (bytes, random) => digits(bytes, random)],
  [/currency/, oneOf(words.currencies)],
  [/country|nation/, oneOf(words.countries)],
  [/language|locale/, oneOf(words.languages)],
  [/colou?r/, oneOf(words.colours)],
  [/city|town|place|location|region/, oneOf(words.cities)],
  [/street|address/, street],
  [/status|state|stage|phase/, oneOf(words.states)],
  [/handle|user_?name|login|nick|slug|tag|label|topic|channel|category|group|team/, slug],
  [/first_?name|given/, (bytes, random) => phrase(bytes, words.givenNames, random)],
  [/last_?name|family|surname/, (bytes, random) => phrase(bytes, words.familyNames, random)],
  [/^name$|name$|author|owner|sender/, name],
  [/title|subject|headline|caption/, title],
  [/sku|code|serial|number|ref(erence)?$/, code],
  [
    /text|body|about|note|comment|content|message|summary|description|bio|story|reason|review|answer/,
    sentences,
  ],
];

/** A text of exactly so many bytes. */
export function textFor(purpose: TextPurpose, bytes: number, random: SeededRandom): string {
  if (bytes <= 0) return "";
  const known = makersByName.get(purpose.attribute);
  const maker = known ?? makerFor(purpose.attribute);
  if (known === undefined) makersByName.set(purpose.attribute, maker);
  return fitted(maker(bytes, random, purpose), bytes, random);
}

/** A sample asks for the same few attributes again and again. */
const makersByName = new BoundedCache<Maker>();

function makerFor(attribute: string): Maker {
  const word = attribute.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const found = makers.find(([sign]) => sign.test(word) || sign.test(word.replaceAll("_", "")));
  return found?.[1] ?? someWords;
}

/** Whether an attribute is called like something that is numbered. */
export function isNumbered(attribute: string): boolean {
  return /(id|key|code|number|serial|sku)$/i.test(attribute);
}

/** An identifier without a format: what it is of, and a number. */
export function serialText(attribute: string, bytes: number, serial: number): string {
  const stem = attribute.replace(/[_-]?(id|key|number|code)$/i, "").replace(/[^A-Za-z0-9]/g, "");
  const number = String(serial);
  const room = bytes - number.length;
  if (room < 0) return serial.toString(36).padStart(bytes, "0").slice(-bytes);
  const before = stem.toLowerCase().slice(0, Math.max(0, bytes - 4));
  if (before === "" || before.length + 1 + number.length > bytes)
    return number.padStart(bytes, "0");
  return `${before}-${number.padStart(bytes - before.length - 1, "0")}`;
}

function fitted(text: string, bytes: number, random: SeededRandom): string {
  if (text.length === bytes) return text;
  if (text.length > bytes) return syllables(bytes, random);
  return text + syllables(bytes - text.length, random);
}

const longestWord = 14;

/** Words with spaces between them, as long as asked for. */
export function phrase(bytes: number, list: readonly string[], random: SeededRandom): string {
  const chosen: string[] = [];
  let room = bytes;
  while (room > 0) {
    // A word that leaves room for a space and another one, or for nothing.
    const fitting = room > 2 * longestWord ? list : lastWords(list, room);
    const word = pick(fitting, random) ?? syllables(room, random);
    chosen.push(word);
    room -= word.length + 1;
  }
  return chosen.join(" ");
}

/** Lists of words by the room that is left. */
const fittingWords = new WeakMap<readonly string[], (readonly string[])[]>();

function lastWords(list: readonly string[], room: number): readonly string[] {
  const known = fittingWords.get(list) ?? [];
  fittingWords.set(list, known);
  known[room] ??= list.filter(({ length }) => length === room || length <= room - 3);
  return known[room];
}

const slugWords: readonly string[] = [...words.qualities, ...words.things];

function someWords(bytes: number, random: SeededRandom): string {
  return phrase(bytes, bytes > 12 ? words.plain : words.qualities, random);
}

function name(
  bytes: number,
  random: SeededRandom,
  { entity, attribute, personal }: TextPurpose,
): string {
  if (!personal && !people.test(entity) && !people.test(attribute)) return title(bytes, random);
  const [given = "", family = ""] = [
    pick(words.givenNames, random),
    pick(words.familyNames, random),
  ];
  if (bytes < given.length + 3) return phrase(bytes, words.givenNames, random);
  const rest = bytes - given.length - 1;
  const middle =
    rest > family.length + 3 ? phrase(rest - family.length - 1, words.givenNames, random) : "";
  if (middle !== "") return `${given} ${middle} ${family}`;
  return `${given} ${phrase(rest, words.familyNames, random)}`;
}

function title(bytes: number, random: SeededRandom): string {
  const thing = pick(words.things, random) ?? "";
  const rest = bytes - thing.length - 1;
  const text =
    rest < 3
      ? phrase(bytes, words.things, random)
      : `${phrase(rest, words.qualities, random)} ${thing}`;
  return capital(text);
}

const paragraphBytes = 1_000;

/** Sentences that end where the text ends. */
function sentences(bytes: number, random: SeededRandom): string {
  if (bytes < 12) return phrase(bytes, words.plain, random);
  if (bytes > 2 * paragraphBytes) {
    // Nobody reads all of a long text: its first paragraph is said again.
    const times = Math.floor(bytes / paragraphBytes) - 1;
    const paragraph = `${sentences(paragraphBytes - 1, random)} `;
    return paragraph.repeat(times) + sentences(bytes - times * paragraphBytes, random);
  }
  const parts: string[] = [];
  let room = bytes;
  while (room > 0) {
    const long = 24 + random.below(60);
    // What is left after this sentence is nothing, or enough for another.
    const length = room <= long + 30 ? room : long;
    parts.push(`${capital(phrase(length - 1, words.plain, random))}.`);
    room -= length + 1;
  }
  return parts.join(" ");
}

function html(bytes: number, random: SeededRandom): string {
  const room = bytes - "<p></p>".length;
  return room < 1 ? someWords(bytes, random) : `<p>${sentences(room, random)}</p>`;
}

function email(bytes: number, random: SeededRandom): string {
  const fitting = words.domains.filter(({ length }) => length + 3 <= bytes);
  const domain = pick(fitting, random);
  if (domain === undefined) return syllables(bytes, random);
  const room = bytes - domain.length - 1;
  const given = (pick(words.givenNames, random) ?? "").toLowerCase();
  const family = (pick(words.familyNames, random) ?? "").toLowerCase();
  const whole = `${given}.${family}`;
  const rest = room - whole.length;
  if (rest >= 0) return `${whole}${digits(rest, random)}@${domain}`;
  if (room >= given.length) return `${given}${digits(room - given.length, random)}@${domain}`;
  return `${syllables(room, random)}@${domain}`;
}

function slug(bytes: number, random: SeededRandom): string {
  return phrase(bytes, bytes > 8 ? slugWords : words.qualities, random)
    .replaceAll(" ", "-")
    .toLowerCase();
}

function street(bytes: number, random: SeededRandom): string {
  const number = String(1 + random.below(199));
  const room = bytes - number.length - " Street ".length;
  if (room < 3) return phrase(bytes, words.streets, random);
  return `${phrase(room, words.streets, random)} Street ${number}`;
}

function code(bytes: number, random: SeededRandom): string {
  if (bytes < 5) return syllables(bytes, random).toUpperCase();
  return `${syllables(2, random).toUpperCase()}-${digits(bytes - 3, random)}`;
}

function dotted(bytes: number, random: SeededRandom): string {
  const start = `${1 + random.below(9)}.${random.below(10)}.`;
  return bytes <= start.length
    ? digits(bytes, random)
    : start + digits(bytes - start.length, random);
}

function path(bytes: number, random: SeededRandom, start: string): string {
  const room = bytes - start.length;
  return room < 1 ? syllables(bytes, random) : start + slug(room, random);
}

function ipAddress(random: SeededRandom): string {
  // Addresses that are kept for documentation.
  return `192.0.2.${1 + random.below(254)}`;
}

function oneOf(list: readonly string[]): Maker {
  return (bytes, random) => phrase(bytes, list, random);
}

export function hex(bytes: number, random: SeededRandom): string {
  return Array.from({ length: bytes }, () => random.below(16).toString(16)).join("");
}

function digits(count: number, random: SeededRandom): string {
  return Array.from({ length: Math.max(0, count) }, () => random.below(10)).join("");
}

const consonants = "bdfgklmnprstvz";
const vowels = "aeiou";

/** Something that can be said, where no word has the length. */
export function syllables(count: number, random: SeededRandom): string {
  let text = "";
  while (text.length < count) {
    const letters = text.length % 2 === 0 ? consonants : vowels;
    text += letters.charAt(random.below(letters.length));
  }
  return text;
}

function pick(list: readonly string[], random: SeededRandom): string | undefined {
  return list[random.below(list.length)];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

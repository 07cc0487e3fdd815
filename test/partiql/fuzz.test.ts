import { expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { statementCharactersMax } from "../../src/api/limits.ts";
import { asRequests } from "../../src/partiql/print.ts";
import { Random } from "../random.ts";
import { compiled } from "./shapes.ts";

const rounds = process.env.KEYWRIGHT_LONG === undefined ? 3_000 : 600_000;

const pieces = (
  "SELECT * FROM Music WHERE artist = 'A' AND OR NOT song > < <= >= <> != BETWEEN IN IS MISSING NULL ( ) [ ] { } << >> , ; : . ? " +
  "'x' '' 1 -1 1e9 1e400 .5 \"q\" \"\" INSERT INTO VALUE UPDATE SET REMOVE DELETE RETURNING ALL OLD NEW MODIFIED EXISTS " +
  "attribute_exists begins_with size contains set_add list_append if_not_exists ORDER BY DESC LIMIT GROUP AS t true false " +
  '-- /* */ + - / % || @ # ` $x \\ \u0000 é 😀 plays info.tags[0] "Music"."byYear" released COUNT(*) LIKE CASE'
).split(" ");

const seeds = [
  'SELECT a, b.c[0] FROM "Music"."byYear" WHERE released = 1 AND (genre = \'x\' OR NOT size(genre) > 2) ORDER BY song DESC',
  "INSERT INTO Music VALUE {'artist': 'A', 'song': ?, 'm': {'l': [1, <<1, 2>>, null]}}",
  "UPDATE Music SET a = if_not_exists(a, 0) + 1 SET s = set_add(s, <<'x'>>) REMOVE b[1] WHERE artist = 'A' AND song = '1' RETURNING ALL NEW *",
  "EXISTS(SELECT * FROM Music WHERE artist = 'A' AND song = '1' AND plays > 5)",
];

/** Whatever the text, it is compiled or refused, and soon. */
function tried(text: string): "compiled" | "refused" {
  try {
    asRequests(compiled(text, [{ S: "p" }, { N: "1" }]));
    return "compiled";
  } catch (error) {
    expect(error, text).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).type, text).toBe("ValidationException");
    return "refused";
  }
}

function soup(random: Random): string {
  const length = random.between(1, 30);
  return Array.from({ length }, () => random.pick(pieces)).join(random.chance(0.8) ? " " : "");
}

function mutated(random: Random): string {
  let text = random.pick(seeds);
  for (let i = random.between(1, 4); i > 0; i -= 1) {
    const at = random.between(0, text.length);
    const end = Math.min(text.length, at + random.few(12));
    text = text.slice(0, at) + (random.chance(0.5) ? random.pick(pieces) : "") + text.slice(end);
  }
  return text;
}

test("random texts are compiled or refused", () => {
  const random = new Random(20_261_116);
  const counts = { compiled: 0, refused: 0 };
  for (let round = 0; round < rounds; round += 1) {
    counts[tried(random.chance(0.5) ? soup(random) : mutated(random))] += 1;
  }
  expect(counts.refused).toBeGreaterThan(rounds / 2);
  expect(counts.compiled).toBeGreaterThan(rounds / 100);
});

const filled = (head: string, piece: string, tail = ""): string =>
  head +
  piece.repeat(Math.floor((statementCharactersMax - head.length - tail.length) / piece.length)) +
  tail;
const where = "SELECT * FROM Music WHERE artist = 'A' AND ";

test.each([
  ["parentheses", filled(where, "(")],
  ["negations", filled(where, "NOT ", "a = 1")],
  ["signs", filled(`${where}a = `, "- ", "1")],
  ["lists", filled("INSERT INTO Music VALUE {'artist': ", "[")],
  ["maps", filled("INSERT INTO Music VALUE ", "{'a':")],
  ["steps", filled(`${where}a`, ".b", " = 1")],
  ["elements", filled(`${where}a`, "[0]", " = 1")],
  ["calls", filled(where, "size(")],
  ["statements", filled("", "EXISTS(SELECT * FROM ")],
  ["conjunctions", filled(where, "a=1 AND ", "a=1")],
  ["disjunctions", filled(where, "a=1 OR ", "a=1")],
  ["keys", filled("SELECT * FROM Music WHERE ", "artist='A' OR ", "song='1'")],
  [
    "ways",
    filled(
      "SELECT * FROM Music WHERE artist IN ['a','b','c','d','e','f','g'] AND song IN ['1','2','3','4','5','6','7'] AND ",
      "a=1 AND ",
      "a=1",
    ),
  ],
  ["products", filled("SELECT * FROM Music WHERE ", "(artist='A' OR song='1') AND ", "a=1")],
  ["equalities", filled(`${where}(a=1)`, "=b")],
  ["comments", filled("SELECT /* * FROM Music", "/*")],
  ["quotes", filled("SELECT * FROM Music WHERE artist = '", "''")],
  ["dots", filled("SELECT * FROM Music", ".")],
])("as many %s as a statement has room for", (_what, text) => {
  expect(text.length).toBeLessThanOrEqual(statementCharactersMax);
  // The processor's time: a machine may let a test wait.
  const begun = process.cpuUsage();
  tried(text);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});

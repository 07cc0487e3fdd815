import type { AttributeValue, Item } from "../item/attribute-value.ts";

/**
 * Items as the service writes them in Ion text: numbers are decimals, binaries blobs, sets lists that are
 * annotated with their type.
 */
export function ionOfItem(item: Item): string {
  const fields: string[] = [];
  for (const name in item) {
    fields.push(`${symbol(name)}:${ionOfValue(item[name] as AttributeValue)}`);
  }
  return `{${fields.join(",")}}`;
}

function ionOfValue(value: AttributeValue): string {
  if ("S" in value) return string(value.S);
  if ("N" in value) return decimal(value.N);
  if ("B" in value) return blob(value.B);
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  if ("SS" in value) return `$dynamodb_SS::[${value.SS.map(string).join(",")}]`;
  if ("NS" in value) return `$dynamodb_NS::[${value.NS.map(decimal).join(",")}]`;
  if ("BS" in value) return `$dynamodb_BS::[${value.BS.map(blob).join(",")}]`;
  if ("L" in value) return `[${value.L.map(ionOfValue).join(",")}]`;
  return ionOfItem(value.M);
}

const blob = (base64: string): string => `{{${base64}}}`;

/** So many zeros behind the point are written out; the service's own limit is not published. */
const leadingZerosMax = 6;

/** A normal form as a decimal: `103.`, `6d2`, `1.5`, `2d-9`. Without point or `d` it would be an int. */
export function decimal(number: string): string {
  const sign = number.startsWith("-") ? "-" : "";
  const digits = sign === "" ? number : number.slice(1);
  const [whole = "", fraction] = digits.split(".");
  if (fraction === undefined) {
    const significant = whole.replace(/0+$/, "");
    const zeros = whole.length - significant.length;
    if (significant === "") return "0.";
    return zeros === 0 ? `${sign}${whole}.` : `${sign}${significant}d${zeros}`;
  }
  const zeros = whole === "0" ? fraction.length - fraction.replace(/^0+/, "").length : 0;
  if (zeros <= leadingZerosMax) return number;
  return `${sign}${fraction.slice(zeros)}d-${fraction.length}`;
}

const plainSymbol = /^[A-Za-z_][A-Za-z0-9_]*$/;
const keywords = new Set(["null", "true", "false", "nan"]);

function symbol(name: string): string {
  if (plainSymbol.test(name) && !keywords.has(name)) return name;
  return `'${name.replaceAll(special, escaped)}'`;
}

const string = (text: string): string => `"${text.replaceAll(special, escaped)}"`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const special = /["'\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

const named = new Map([
  ['"', '\\"'],
  ["'", "\\'"],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escaped(character: string): string {
  const short = named.get(character);
  if (short !== undefined) return short;
  const code = character.charCodeAt(0).toString(16);
  return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
}

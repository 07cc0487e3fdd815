/** JSON that is already serialised, for example a stored item, to be spliced into an answer. */
export class RawJson {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * Raw members are looked for so deep: in `Item`, in `Items[]`, in `Responses[].Item` and in
 * `Responses.table[]`. Deeper levels hold attribute values, which are never raw.
 */
const rawDepthMax = 4;

type Json = Record<string, unknown>;

/** The bytes of an answer. Members that are undefined are left out; raw members are not parsed. */
export function responseBytes(answer: unknown): Buffer {
  const item = onlyItem(answer);
  if (item !== undefined) return wrapped(item.bytes);
  if (!hasRaw(answer, rawDepthMax)) return Buffer.from(JSON.stringify(answer ?? {}));
  const splice = new Splice();
  splice.value(answer, rawDepthMax);
  return splice.bytes();
}

/** What GetItem answers, mostly: a stored item and nothing else. */
function onlyItem(answer: unknown): RawJson | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  let item: unknown;
  for (const name in answer) {
    if (name !== "Item") return undefined;
    item = (answer as Json).Item;
  }
  return item instanceof RawJson ? item : undefined;
}

const beforeItem = Buffer.from('{"Item":');
const closingBrace = 0x7d;

function wrapped(json: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(beforeItem.length + json.length + 1);
  bytes.set(beforeItem, 0);
  bytes.set(json, beforeItem.length);
  bytes[bytes.length - 1] = closingBrace;
  return bytes;
}

/** The answer with raw members parsed, for callers in the same process. */
export function plain<T = unknown>(answer: unknown): T {
  return parsed(answer, rawDepthMax) as T;
}

function parsed(value: unknown, depth: number): unknown {
  if (value instanceof RawJson) return parsedItem(value.bytes);
  if (!hasRaw(value, depth)) return value;
  if (Array.isArray(value)) return value.map((element) => parsed(element, depth - 1));
  const copy = { ...(value as Json) };
  for (const name in copy) copy[name] = parsed(copy[name], depth - 1);
  return copy;
}

function parsedItem({ buffer, byteOffset, byteLength }: Uint8Array): unknown {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString("utf8"));
}

function hasRaw(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof RawJson) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (hasRaw(value[index], depth - 1)) return true;
    }
    return false;
  }
  for (const name in value) {
    if (hasRaw((value as Json)[name], depth - 1)) return true;
  }
  return false;
}

/** Strings up to this length are written byte by byte, which beats a native call. */
const shortTextMax = 24;

class Splice {
  readonly #parts: (string | Uint8Array)[] = [];
  #text = "";
  /** At least as many bytes as all parts need. */
  #room = 0;

  value(value: unknown, depth: number): void {
    if (value instanceof RawJson) this.#raw(value.bytes);
    else if (!hasRaw(value, depth)) this.#text += JSON.stringify(value) ?? "null";
    else if (Array.isArray(value)) this.#array(value, depth);
    else this.#object(value as Json, depth);
  }

  bytes(): Buffer {
    this.#flush();
    const buffer = Buffer.allocUnsafe(this.#room);
    let offset = 0;
    for (const part of this.#parts) {
      if (typeof part !== "string") {
        buffer.set(part, offset);
        offset += part.length;
      } else offset += writeText(buffer, part, offset);
    }
    return buffer.subarray(0, offset);
  }

  #array(values: readonly unknown[], depth: number): void {
    this.#text += "[";
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#text += ",";
      this.value(values[index], depth - 1);
    }
    this.#text += "]";
  }

  #object(members: Json, depth: number): void {
    let separator = "{";
    for (const name in members) {
      const member = members[name];
      if (member === undefined) continue;
      this.#text += `${separator}${JSON.stringify(name)}:`;
      separator = ",";
      this.value(member, depth - 1);
    }
    this.#text += "}";
  }

  #raw(bytes: Uint8Array): void {
    this.#flush();
    this.#parts.push(bytes);
    this.#room += bytes.length;
  }

  #flush(): void {
    const text = this.#text;
    if (text === "") return;
    this.#parts.push(text);
    // A UTF-16 unit takes at most three bytes.
    this.#room += text.length <= shortTextMax ? text.length * 3 : Buffer.byteLength(text);
    this.#text = "";
  }
}

function writeText(buffer: Buffer, text: string, offset: number): number {
  const { length } = text;
  if (length > shortTextMax) return buffer.write(text, offset);
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return buffer.write(text, offset);
    buffer[offset + index] = code;
  }
  return length;
}

/**
 * JSON as a client may write it, which is more than an object can hold: members given twice, members
 * named `__proto__`, numbers of any length, text that is no JSON.
 */
export type Json = null | boolean | number | string | Json[] | Members | RawText;

/** A JSON object. */
export class Members {
  readonly entries: [name: string, value: Json][];

  constructor(entries: [string, Json][] = []) {
    this.entries = entries;
  }

  set(name: string, value: Json): void {
    const entry = this.entries.find(([known]) => known === name);
    if (entry === undefined) this.entries.push([name, value]);
    else entry[1] = value;
  }

  get(name: string): Json | undefined {
    return this.entries.find(([known]) => known === name)?.[1];
  }
}

/** Written as it is. */
export class RawText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function object(members: Readonly<Record<string, Json>>): Members {
  return new Members(Object.entries(members));
}

export function textOf(json: Json): string {
  if (json instanceof RawText) return json.text;
  if (json instanceof Members) {
    return `{${json.entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(",")}}`;
  }
  if (Array.isArray(json)) return `[${json.map(textOf).join(",")}]`;
  return JSON.stringify(json);
}

/** Where a value stands: the holder and its place there. */
export interface Place {
  readonly holder: Members | Json[];
  readonly at: number;
}

/** Every place below the root, in order. */
export function placesOf(root: Json): Place[] {
  const places: Place[] = [];
  const visit = (json: Json): void => {
    if (json instanceof Members) {
      json.entries.forEach(([, value], at) => {
        places.push({ holder: json, at });
        visit(value);
      });
    } else if (Array.isArray(json)) {
      json.forEach((value, at) => {
        places.push({ holder: json, at });
        visit(value);
      });
    }
  };
  visit(root);
  return places;
}

export function valueAt({ holder, at }: Place): Json {
  return holder instanceof Members
    ? (holder.entries[at] as [string, Json])[1]
    : (holder[at] as Json);
}

export function replaceAt({ holder, at }: Place, value: Json): void {
  if (holder instanceof Members) (holder.entries[at] as [string, Json])[1] = value;
  else holder[at] = value;
}

export function removeAt({ holder, at }: Place): void {
  if (holder instanceof Members) holder.entries.splice(at, 1);
  else holder.splice(at, 1);
}

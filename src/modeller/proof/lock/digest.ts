import { createHash } from "node:crypto";

/** Where things stand in the document, and what is said about them: no proof depends on it. */
const unread = new Set(["path", "description", "purpose", "story", "offsets"]);

/** A hash of anything made of plain values, lists, maps and objects. Parts that are shared are looked at once. */
export class Digest {
  private readonly known = new WeakMap<object, string>();

  of(value: unknown): string {
    if (typeof value === "string") return `s${JSON.stringify(value)}`;
    if (typeof value !== "object" || value === null) return `p${String(value)}`;
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const hash = createHash("sha256");
    for (const part of this.partsOf(value)) hash.update(part).update("\0");
    const digest = hash.digest("base64url").slice(0, 27);
    this.known.set(value, digest);
    return digest;
  }

  private partsOf(value: object): readonly string[] {
    if (Array.isArray(value)) return ["list", ...value.map((one) => this.of(one))];
    const isMap = value instanceof Map || value instanceof Set;
    const entries = isMap ? [...value.entries()] : Object.entries(value);
    const parts = entries
      .filter(([name, one]) => isMap || (!unread.has(String(name)) && one !== undefined))
      .flatMap(([name, one]) => [this.of(name), this.of(one)]);
    return [isMap ? "map" : "object", ...parts];
  }
}

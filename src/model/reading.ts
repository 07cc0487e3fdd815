import { didYouMean } from "../document/nearest.ts";
import type { Issue, Path } from "../document/path.ts";
import type { Attribute, Entity } from "./requirements.ts";

const listedMax = 12;

/** Collects what is wrong while a document is read. */
export class Reading {
  readonly issues: Issue[] = [];

  say(path: Path, message: string, more: Pick<Issue, "isName" | "within"> = {}): void {
    this.issues.push({ path, message, ...more });
  }

  /** A name that stands for nothing; `what` is what it should stand for. */
  unknown(
    path: Path,
    name: string,
    what: string,
    known: Iterable<string>,
    more: Pick<Issue, "isName" | "within"> = {},
  ): void {
    const all = [...known];
    const listed = all.length > listedMax ? [...all.slice(0, listedMax), "…"] : all;
    const hint =
      didYouMean(name, all) || (all.length === 0 ? "" : `; there are ${listed.join(", ")}`);
    this.say(path, `names '${name}', which is no ${what}${hint}`, more);
  }

  /** Looks a name up, and complains if there is nothing. */
  find<T>(
    map: ReadonlyMap<string, T>,
    name: string,
    what: string,
    path: Path,
    more: Pick<Issue, "isName" | "within"> = {},
  ): T | undefined {
    const found = map.get(name);
    if (found === undefined) this.unknown(path, name, what, map.keys(), more);
    return found;
  }

  attribute(
    entity: Entity,
    name: string,
    path: Path,
    more: Pick<Issue, "isName" | "within"> = {},
  ): Attribute | undefined {
    return this.find(entity.attributes, name, `attribute of ${entity.name}`, path, more);
  }

  /** Attributes by name, each once; those that are not there are left out. */
  attributes(entity: Entity, names: readonly string[], path: Path): readonly Attribute[] {
    const found = names.flatMap((name, i) => {
      if (names.indexOf(name) !== i) this.say([...path, i], `names '${name}' twice`);
      return this.attribute(entity, name, [...path, i]) ?? [];
    });
    return [...new Set(found)];
  }
}

/** Own members of a record that came from a document, in order; none of nothing. */
export function entriesOf<T>(
  record: Readonly<Record<string, T>> | undefined,
): readonly (readonly [string, T])[] {
  return record === undefined ? [] : Object.entries(record);
}

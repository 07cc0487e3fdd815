import type { Path } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";

/** Why there is no design: the part of the document that stands in the way, and what to change there. */
export interface Refusal {
  /** Empty if it is about the whole document. */
  readonly path: Path;
  readonly text: string;
  /** The reason alone, without what it stands in the way of. */
  readonly reason?: string;
}

/** Why there is no layout, as the end of a sentence, and what to do, in sentences. */
export interface Unlaid {
  readonly reason: string;
  readonly cure: string;
}

export function unstorable(name: string, path: Refusal["path"], { reason, cure }: Unlaid): Refusal {
  const text = `No table design can store ${name}: ${reason}. ${cure}`.trimEnd();
  return { path, reason, text };
}

/** What patterns, by their ids, cannot do with an entity. It is said once, whatever entities they are about. */
export function unservable(
  model: Model,
  entity: string,
  problems: ReadonlyMap<string, string>,
  isToBlame: (pattern: Pattern) => boolean,
): readonly Refusal[] {
  return [...problems].flatMap(([id, reason]): readonly Refusal[] => {
    const pattern = model.patterns.get(id);
    if (pattern === undefined) {
      const path = model.entities.get(entity)?.path ?? [];
      return [unstorable(entity, path, { reason, cure: "" })];
    }
    if (!isToBlame(pattern)) return [];
    const text = `No table design can serve pattern ${id} (${pattern.name}): ${reason}.`;
    return [{ path: pattern.path, reason: `pattern ${id}: ${reason}`, text }];
  });
}

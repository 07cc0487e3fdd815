import type { Path } from "../document/path.ts";
import type { Place } from "../document/source.ts";
import type { Design } from "./design.ts";
import type { ModelDocument } from "./model-document.ts";
import type { Entity, Overview, Pattern, Relation, Workflow } from "./requirements.ts";

/** A model, read and checked: every name in it stands for something. */
export interface Model {
  readonly name: string;
  readonly overview: Overview;
  readonly entities: ReadonlyMap<string, Entity>;
  readonly relations: readonly Relation[];
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly workflows: ReadonlyMap<string, Workflow>;
  readonly design: Design | undefined;
  readonly ignore: readonly {
    readonly rule: string;
    readonly on: string | undefined;
    readonly reason: string;
  }[];
  /** What it was read from. */
  readonly document: ModelDocument;
  /** Where a part is in the text; nothing if there was no text. */
  readonly place: (path: Path) => Place | undefined;
}

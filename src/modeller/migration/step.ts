import type { Path } from "../../document/path.ts";

/** What a difference means for the database. */
export type ChangeKind =
  /** Documents, code and numbers change; the database does not. */
  | "none"
  /** How a table is run changes. */
  | "setting"
  /** Something new that DynamoDB fills by itself, or that begins empty. */
  | "additive"
  /** Items that there are have to be written again. */
  | "backfill"
  /** A table or index is made anew beside the old one, which is dropped in the end. */
  | "rebuild"
  /** Something goes away. */
  | "destructive";

export interface Change {
  readonly kind: ChangeKind;
  /** The part of the document that differs. */
  readonly path: Path;
  readonly how: "added" | "removed" | "changed";
  readonly text: string;
}

/** Who carries a step out. */
export type Who = "API" | "deployment" | "job" | "check";

/** What a step does, for who rehearses it. */
export type Act =
  | "prepare"
  | "create"
  | "setting"
  | "write-both"
  | "backfill"
  | "verify"
  | "read-new"
  | "new-leads"
  | "write-new"
  | "deploy"
  | "clean-up"
  | "drop";

export interface ApiRequest {
  readonly operation: string;
  readonly request: object;
}

/** Whose answers and writes are right after a step. */
export interface Right {
  readonly readers: "old" | "old and new" | "new";
  readonly writers: "old" | "both" | "new";
}

/** What a step costs. */
export interface StepCost {
  readonly items: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** At on-demand prices; nothing for a Region without prices. */
  readonly dollars: number | undefined;
  readonly seconds: number;
  /** Write units for each second that the time is worked out with. */
  readonly rate: number;
  /** Numbers of the document that somebody assumed are in it. */
  readonly assumed: boolean;
  /** What could not be counted, because the document does not say how large or how many. */
  readonly unknown: readonly string[];
}

export interface MigrationStep {
  readonly act: Act;
  readonly title: string;
  readonly who: Who;
  readonly why: string;
  readonly requests: readonly ApiRequest[];
  /** What is done, where it is no request. */
  readonly actions: readonly string[];
  readonly verify: readonly string[];
  readonly rollback: string;
  readonly risks: readonly string[];
  readonly cost: StepCost | undefined;
  readonly right: Right;
}

/** Something that the two documents say together and that needs an answer or attention. */
export interface MigrationFinding {
  /** For `--accept-loss`. */
  readonly id: string;
  readonly severity: "error" | "question" | "warning";
  readonly message: string;
  /** Where it is in each of the documents; nothing if it is not in one. */
  readonly old: Path | undefined;
  readonly new: Path | undefined;
  /** Somebody said that it is meant. */
  readonly accepted: boolean;
}

/** A table or index that has to have another name than the new document says, for that one is taken. */
export interface NewName {
  readonly table: string;
  readonly index: string | undefined;
  readonly name: string;
  readonly why: string;
  /** Key attributes that need other names with it. */
  readonly attributes: ReadonlyMap<string, string>;
}

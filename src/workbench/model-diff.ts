import { type Complaint, complaintsText } from "../document/complaint.ts";
import type { Model } from "../model/model.ts";
import { parseModel } from "../model/parse.ts";
import { migrationJson } from "../modeller/migration/json.ts";
import { isRefused, type Migration, migrationOf } from "../modeller/migration/migration.ts";
import { type Rename, readRename } from "../modeller/migration/naming.ts";
import { type Files, migrationText } from "../modeller/migration/text.ts";
import { ModelError } from "./model-error.ts";

export interface DiffOptions {
  /** `Customer.mail=email`, `Customer=Client`. */
  readonly renames?: readonly string[];
  readonly accepted?: readonly string[];
  /** Write units for each second of jobs. */
  readonly rate?: number;
}

export interface DocumentText {
  readonly text: string;
  readonly file: string;
}

/** How to come from one document to another, or what is wrong with them. */
export interface ModelDiff {
  readonly files: Files;
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
  readonly migration: Migration | undefined;
}

/** Throws ModelError for a rename or an acceptance that speaks of nothing. */
export function diffModels(
  old: DocumentText,
  next: DocumentText,
  { renames = [], accepted = [], rate }: DiffOptions = {},
): ModelDiff {
  const files = { old: old.file, new: next.file };
  const [before, after] = [parseModel(old.text, old.file), parseModel(next.text, next.file)];
  const complaints = [...before.complaints, ...after.complaints];
  if (before.model === undefined || after.model === undefined) {
    return { files, complaints, migration: undefined };
  }
  const migration = migrationOf(before.model, after.model, {
    renames: readRenames(renames, before.model, after.model),
    accepted,
    ...(rate !== undefined && { rate }),
  });
  for (const id of accepted) {
    if (!migration.findings.some((one) => one.id === id)) {
      throw new ModelError(`--accept-loss ${id}: nothing of that name is found.`);
    }
  }
  return { files, complaints, migration };
}

function readRenames(texts: readonly string[], old: Model, next: Model): readonly Rename[] {
  return texts.map((text) => {
    const rename = readRename(text, old, next);
    if (rename === undefined) {
      throw new ModelError(
        `--rename ${text}: say Entity=Other or Entity.attribute=other, with names that the documents have.`,
      );
    }
    return rename;
  });
}

/** Whether something would be lost that nobody has accepted. */
export function isLossy({ migration }: ModelDiff): boolean {
  return migration !== undefined && isRefused(migration);
}

export function modelDiffOutput(
  { files, complaints, migration }: ModelDiff,
  format: "text" | "json",
  more: object = {},
): string {
  if (format === "json") {
    const rest = migration === undefined ? {} : migrationJson(migration);
    return `${JSON.stringify({ files, complaints, ...rest, ...more })}\n`;
  }
  return migration === undefined
    ? `${complaintsText(complaints)}\n`
    : migrationText(migration, files);
}

import { type Path, pathText } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import { isRefused, type Migration } from "./migration.ts";

/** The same for programs. */
export function migrationJson(migration: Migration): object {
  const { changes, findings, newNames, steps, old, next } = migration;
  return {
    refused: isRefused(migration),
    changes: changes.map(({ path, ...one }) => ({ path: pathText(path), ...one })),
    findings: findings.map(({ old: before, new: after, ...one }) => ({
      ...one,
      old: placed(old, before),
      new: placed(next, after),
    })),
    newNames: newNames.map(({ attributes, ...one }) => ({
      ...one,
      attributes: [...attributes].map(([from, to]) => ({ from, to })),
    })),
    steps: steps.map((step, i) => ({ step: i + 1, ...step })),
  };
}

function placed(model: Model, path: Path | undefined): object | undefined {
  if (path === undefined) return undefined;
  const place = model.place(path);
  return { path: pathText(path), line: place?.line, column: place?.column };
}

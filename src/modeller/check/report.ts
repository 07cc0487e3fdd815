import { type Path, pathText } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import type { CheckOutcome, CheckPoint } from "./check.ts";
import { CheckContext } from "./check-context.ts";
import type { Exception } from "./fit/criterion.ts";
import { type Fit, fitOf } from "./fit/fit.ts";
import { runChecks } from "./run-checks.ts";

/** A part of the document, and where it is in the text. */
export interface Located {
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

type At<T extends { readonly path: Path }> = Omit<T, "path"> & Located;

export interface CheckReport {
  readonly checks: readonly (Omit<CheckOutcome, "points"> & {
    readonly id: string;
    readonly title: string;
    readonly points: readonly At<CheckPoint>[];
  })[];
  readonly fit: Omit<Fit, "criteria" | "exceptions"> & {
    readonly criteria: readonly Omit<Fit["criteria"][number], "exceptions">[];
    readonly exceptions: readonly At<Exception>[];
  };
}

/** The checklist and the verdict, with the places of everything. */
export function reportOf(model: Model): CheckReport {
  const context = new CheckContext(model);
  const { criteria, exceptions, ...fit } = fitOf(context);
  return {
    checks: runChecks(context).map((line) => ({
      ...line,
      points: line.points.map((one) => at(model, one)),
    })),
    fit: {
      ...fit,
      criteria: criteria.map(({ exceptions: _, ...one }) => one),
      exceptions: exceptions.map((one) => at(model, one)),
    },
  };
}

export function at<T extends { readonly path: Path }>(model: Model, part: T): At<T> {
  const place = model.place(part.path);
  return { ...part, path: pathText(part.path), line: place?.line, column: place?.column };
}

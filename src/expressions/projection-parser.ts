import { BoundedCache } from "../base/bounded-cache.ts";
import { type Parser, Placeholders, parseText, resolvePath } from "./parser.ts";
import { checkPathsApart } from "./path.ts";
import type { Path, Projection } from "./tree.ts";

const kind = "ProjectionExpression";

export interface ProjectionSyntax extends Projection {
  /** No placeholder in it: this is the resolved projection already. */
  readonly plain: boolean;
}

const cache = new BoundedCache<ProjectionSyntax>();

/** Both phases in one. */
export function compileProjection(text: string, placeholders: Placeholders): Projection {
  return resolveProjection(parseProjection(text), placeholders);
}

/** The first phase. */
export function parseProjection(text: string): ProjectionSyntax {
  return parseText(kind, text, cache, projection);
}

/** Projection = Path { "," Path } */
function projection(parser: Parser): ProjectionSyntax {
  const paths = [parser.path()];
  while (parser.accept(",")) paths.push(parser.path());
  parser.finish();
  const plain = !paths.some(hasPlaceholder);
  // What does not depend on the request is judged once.
  if (plain) resolvePaths(paths, noPlaceholders);
  return { kind: "projection", paths, plain };
}

const noPlaceholders = new Placeholders(undefined, undefined);

function hasPlaceholder({ steps }: Path): boolean {
  return steps.some((step) => typeof step === "string" && step.startsWith("#"));
}

/** The second phase: names that are not defined, then paths that get into each other's way. */
export function resolveProjection(
  syntax: ProjectionSyntax,
  placeholders: Placeholders,
): Projection {
  if (syntax.plain) return syntax;
  return { kind: "projection", paths: resolvePaths(syntax.paths, placeholders) };
}

function resolvePaths(paths: readonly Path[], placeholders: Placeholders): readonly Path[] {
  const resolved = paths.map((path) => resolvePath(path, placeholders, kind));
  checkPathsApart(resolved, kind);
  return resolved;
}

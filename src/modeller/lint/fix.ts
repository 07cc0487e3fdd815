import { EditError, editText } from "../../document/edit.ts";
import { pathText } from "../../document/path.ts";
import { parseModel } from "../../model/parse.ts";
import { type Hunk, hunkOf } from "./hunk.ts";
import { type LintFinding, type LintOptions, lint } from "./lint.ts";
import type { Rule } from "./rule.ts";

/** More than this is a rule whose fix calls for another fix. */
const fixesMax = 500;

export interface FixChange {
  readonly rule: string;
  readonly path: string;
  /** Where it was when the fix was made; fixes before it may have moved it. */
  readonly line: number | undefined;
  readonly what: string;
}

export interface Fixed {
  readonly text: string;
  readonly changes: readonly (FixChange & { readonly hunk: Hunk })[];
  /** Fixes that would have left a document that cannot be read, or the finding in it. */
  readonly refused: readonly FixChange[];
}

/**
 * Makes the fixes of all findings, one after the other; after each the text is read and looked at
 * anew, as a fix may move what others are about. The text must read without complaints.
 */
export function fixText(
  text: string,
  file: string,
  options: LintOptions = {},
  rules?: readonly Rule[],
): Fixed {
  let current = text;
  const changes: (FixChange & { readonly hunk: Hunk })[] = [];
  const refused = new Map<string, FixChange>();
  const seen = new Set([text]);
  let findings = findingsOf(current, file, options, rules) ?? [];
  while (changes.length < fixesMax) {
    const next = findings.find(
      (finding) => finding.fix !== undefined && !refused.has(keyOf(finding)),
    );
    if (next?.fix === undefined) break;
    const change: FixChange = {
      rule: next.rule,
      path: pathText(next.path),
      line: next.place?.line,
      what: next.fix.what,
    };
    const edited = tryEdit(current, next);
    const after = edited === undefined ? undefined : findingsOf(edited, file, options, rules);
    const leaves = after?.some((one) => keyOf(one) === keyOf(next)) ?? true;
    // A text that was there before means fixes that undo each other.
    if (edited === undefined || after === undefined || leaves || seen.has(edited)) {
      refused.set(keyOf(next), change);
      continue;
    }
    seen.add(edited);
    changes.push({ ...change, hunk: hunkOf(current, edited) });
    current = edited;
    findings = after;
  }
  return { text: current, changes, refused: [...refused.values()] };
}

function findingsOf(
  text: string,
  file: string,
  options: LintOptions,
  rules: readonly Rule[] | undefined,
): readonly LintFinding[] | undefined {
  const { model } = parseModel(text, file);
  return model && lint(model, options, rules).findings;
}

/** The text with a finding's fix made; nothing if it has none or it does not go with the text. */
export function tryEdit(text: string, { fix }: LintFinding): string | undefined {
  if (fix === undefined) return undefined;
  try {
    return editText(text, fix.edits);
  } catch (error) {
    if (error instanceof EditError) return undefined;
    throw error;
  }
}

function keyOf({ rule, path, message }: LintFinding): string {
  return JSON.stringify([rule, path, message]);
}

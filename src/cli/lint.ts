import packageJson from "../../package.json" with { type: "json" };
import {
  failing,
  type LintFormat,
  lintFormats,
  lintModel,
  lintRuleIds,
  lintRulesOutput,
  modelLintOutput,
  severities,
} from "../workbench/model-lint.ts";
import { readText, writeText } from "./files.ts";
import { choiceOption, flagOption, type RawOptions, textOptions } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright lint`: answers 2 if the document is wrong, 1 if a finding is more than a hint, else 0. */
export async function runLint(
  file: string | undefined,
  args: readonly string[],
  options: RawOptions,
): Promise<number> {
  const format = formatOf(args, flagOption(options, "json", "--json"));
  if (flagOption(options, "rules", "--rules")) {
    process.stdout.write(lintRulesOutput(format));
    return 0;
  }
  if (file === undefined) throw new UsageError("Say which model to look at: keywright lint FILE.");
  const fix = flagOption(options, "fix", "--fix");
  const dryRun = flagOption(options, "dryRun", "--dry-run");
  if (dryRun && !fix) throw new UsageError("--dry-run is for --fix.");
  const severity = choiceOption(args, "--severity", severities);
  const rules = rulesOf(args);
  const linted = lintModel(await readText(file), file, { rules, severity, fix });
  if (!dryRun && linted.fixed !== undefined && linted.fixed.changes.length > 0) {
    await writeText(file, linted.text);
  }
  const { version } = packageJson;
  process.stdout.write(modelLintOutput(linted, format, { colour: hasColour(), dryRun, version }));
  if (linted.result === undefined) return 2;
  return failing(linted) ? 1 : 0;
}

function formatOf(args: readonly string[], json: boolean): LintFormat {
  const format = choiceOption(args, "--format", lintFormats);
  if (json && format !== undefined && format !== "json") {
    throw new UsageError(`--json and --format ${format} do not go together.`);
  }
  return json ? "json" : (format ?? "text");
}

function rulesOf(args: readonly string[]): readonly string[] | undefined {
  const given = textOptions(args, "--rule");
  const known = lintRuleIds();
  for (const id of given) {
    if (!known.includes(id)) {
      throw new UsageError(`There is no rule '${id}'; keywright lint --rules lists them.`);
    }
  }
  return given.length === 0 ? undefined : given;
}

/** https://no-color.org: colours are for people who look and did not ask to do without. */
function hasColour(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

import { pathText } from "../../document/path.ts";
import type { LintFinding } from "../lint/lint.ts";
import { counted, moneyText, shareText } from "../lint/words.ts";
import type { PatternProof } from "../proof/prove.ts";
import { checklist } from "./checklist.ts";
import { proofText } from "./design-summary.ts";
import { type Block, code, heading, type Line, list, paragraph, table } from "./markdown.ts";
import type { Material } from "./material.ts";
import { amountOf } from "./words.ts";

/** What speaks for the design being right: the checklist, the rules, and what was run. */
export function validationSection(material: Material): readonly Block[] {
  return [
    heading(2, "Validation results"),
    heading(3, "Proof"),
    ...proofBlocks(material.proofs),
    heading(3, "Lint"),
    ...lintBlocks(material),
    heading(3, "Checklist"),
    ...checklist(material.check.checks),
  ];
}

function proofBlocks(proofs: Material["proofs"]): readonly Block[] {
  if (proofs === undefined) {
    return [
      paragraph([
        "The proof was not run for this document. ",
        code("keywright prove"),
        " runs every pattern on the engine, and on designs that are wrong in one place.",
      ]),
    ];
  }
  const alive = proofs.flatMap(({ pattern, mutants }) =>
    mutants.filter(({ killed }) => !killed).map((one) => ({ pattern, ...one })),
  );
  const missed = alive.flatMap(({ pattern, name, reason }) =>
    reason === undefined ? [`#${pattern}: ${name}`] : [],
  );
  const alike = alive.flatMap(({ pattern, name, reason }) =>
    reason === undefined ? [] : [`#${pattern}: ${name}, because ${reason}`],
  );
  return [
    paragraph(
      `Every pattern was run on the engine with data made from the model, and its answer held against a plain evaluation that knows no keys; then again on designs that are wrong in one place, which it has to find out. ${proofText(proofs)}. Units are means of a few runs on small data; beside them stands what the model's sizes make of as many items as were met, and of the numbers that the model states, which is what prices are made of.`,
    ),
    table(
      [
        "#",
        "Pattern",
        "Result",
        "Calls",
        "Units measured",
        "Units for the items met",
        "Units estimated",
        "Wrong designs found out",
      ],
      proofs.map(proofRow),
      { numbers: [3, 4, 5, 6, 7], otherwise: "There are no patterns." },
    ),
    ...(missed.length === 0
      ? []
      : [paragraph("Wrong designs that were not found out:"), ...list(missed)]),
    ...(alike.length === 0
      ? []
      : [paragraph("Wrong designs that no answer can tell from the right one:"), ...list(alike)]),
  ];
}

function proofRow({
  pattern,
  name,
  skipped,
  failure,
  calls,
  units,
  mutants,
}: PatternProof): readonly Line[] {
  if (skipped !== undefined) return [pattern, name, `not tried: ${skipped}`, "", "", "", "", ""];
  const killed = mutants.filter((one) => one.killed).length;
  return [
    pattern,
    name,
    failure === undefined ? "✅ proved" : `❌ not right: ${failure.what}`,
    amountOf(Math.round(calls * 100) / 100),
    amountOf(units.measured),
    amountOf(units.met),
    amountOf(units.estimated),
    `${killed} of ${mutants.length}`,
  ];
}

function lintBlocks({ lint, model }: Material): readonly Block[] {
  return [
    table(
      ["Rule", "Severity", "Where", "What", "Evidence", "Costs", "Cure"],
      lint.findings.map(findingRow),
      { otherwise: "No rule found anything." },
    ),
    paragraph(
      `${counted(lint.ignored, "finding")} ${lint.ignored === 1 ? "is" : "are"} ignored${lint.ignored === 0 ? "." : ", for these reasons:"}`,
    ),
    ...list(
      model.ignore.map(
        ({ rule, on, reason }): Line => [
          code(rule),
          ...(on === undefined ? [] : [" on ", code(on)]),
          `: ${reason}`,
        ],
      ),
    ),
  ];
}

function findingRow({
  rule,
  severity,
  path,
  message,
  evidence,
  price,
  cure,
}: LintFinding): readonly Line[] {
  return [
    code(rule),
    severity,
    code(pathText(path)),
    message,
    evidence,
    price === undefined
      ? "nothing"
      : price.kind === "throttled"
        ? `${shareText(price.share)} throttled`
        : `${moneyText(price.perMonth)} a month${price.assumed ? " (assumed)" : ""}`,
    cure,
  ];
}

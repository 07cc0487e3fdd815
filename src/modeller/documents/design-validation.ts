import { pathText } from "../../document/path.ts";
import type { LintFinding } from "../lint/lint.ts";
import { counted, moneyText, shareText } from "../lint/words.ts";
import type { PatternProof } from "../proof/prove.ts";
import { decideModelVerdict, getMutationScore } from "../proof/verdict.ts";
import { defectLines, modelVerdictText, verdictText } from "../proof/verdict-text.ts";
import { checklist } from "./checklist.ts";
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
        " runs every pattern and its mutants on the engine.",
      ]),
    ];
  }
  return [
    paragraph(`${modelVerdictText(decideModelVerdict(proofs))}.`),
    paragraph(
      "Every pattern ran on the engine with seeded data. Answers and effects were compared with an oracle that evaluates the entities and knows no keys. Mutants, which change the design, the plan or the caller in one place, test the trial itself. Capacity units are means of a few runs on small data. Both estimates use the sizes of the model: one for the items of the trial, one for the numbers that the model states.",
    ),
    table(
      [
        "#",
        "Pattern",
        "Verdict",
        "Calls",
        "Units measured",
        "Units estimated for these items",
        "Units estimated for the model",
        "Mutation score",
      ],
      proofs.map(proofRow),
      { numbers: [3, 4, 5, 6, 7], otherwise: "There are no patterns." },
    ),
    ...listBelow(
      "Defects:",
      proofs.flatMap(({ verdict }) =>
        verdict.kind === "defect" ? [trimLines(defectLines(verdict.defect))] : [],
      ),
    ),
    ...listBelow(
      "Undecided mutants (no trial killed them, and no reason shows that they are equivalent):",
      proofs.flatMap(({ pattern, verdict }) =>
        verdict.kind === "proved" ? verdict.undecided.map((name) => `#${pattern}: ${name}`) : [],
      ),
    ),
    ...listBelow(
      "Equivalent mutants:",
      proofs.flatMap(({ pattern, verdict }) =>
        verdict.kind === "proved"
          ? verdict.equivalent.map(({ name, reason }) => `#${pattern}: ${name}, because ${reason}`)
          : [],
      ),
    ),
  ];
}

/** Several lines as one, without their indentation. */
function trimLines(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(" ");
}

function listBelow(title: string, lines: readonly string[]): readonly Block[] {
  return lines.length === 0 ? [] : [paragraph(title), ...list(lines)];
}

const verdictSigns = { proved: "✅ ", wrong: "❌ ", defect: "❌ ", "not-provable": "" } as const;

function proofRow(proof: PatternProof): readonly Line[] {
  const { pattern, name, verdict, calls, units } = proof;
  const result = `${verdictSigns[verdict.kind]}${verdictText(verdict)}`;
  if (verdict.kind === "not-provable" || verdict.kind === "defect") {
    return [pattern, name, result, "", "", "", "", ""];
  }
  const { killed, undecided } = getMutationScore(verdict);
  return [
    pattern,
    name,
    result,
    amountOf(Math.round(calls * 100) / 100),
    amountOf(units.measured),
    amountOf(units.met),
    amountOf(units.estimated),
    verdict.kind === "wrong" ? "" : `${killed}/${killed + undecided}`,
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

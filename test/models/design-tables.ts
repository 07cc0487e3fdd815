import type { DesignResult, SabotageResult, VariantResult } from "./design-run.ts";
import { isOpen, isWrongRight } from "./design-run.ts";
import { tools } from "./design-trial.ts";

/** The Markdown tables of many random designs: what was proved of correct ones, and which tool found which mistake. */

const variantHead = ["drawn", "proved", "not provable", "refused", "wrong", "defect"] as const;
const sabotageHead = ["tried", ...tools, "not found", "unusable"] as const;

export function tablesOf(results: readonly DesignResult[]): string {
  const variants = results.filter((one) => one.kind === "variant");
  const mistakes = results.filter((one) => one.kind === "sabotage");
  const proved = variants.filter(({ outcome }) => outcome === "proved").length;
  const tried = mistakes.filter(({ found }) => found !== "unusable");
  const found = tried.filter((one) => !isOpen(one)).length;
  return [
    `${proved} of ${variants.length} correct designs are proved; ${found} of ${tried.length} sabotaged designs are found.`,
    "",
    ...variantTable(variants),
    "",
    ...sabotageTable(mistakes),
    "",
    ...openList(results),
    "",
  ].join("\n");
}

/** A design is counted in the line of each of its steps. */
function variantTable(variants: readonly VariantResult[]): readonly string[] {
  const names = [...new Set(variants.flatMap(({ steps }) => steps))].toSorted();
  const row = (name: string, own: readonly VariantResult[]): string => {
    const count = (what: (typeof variantHead)[number]): number =>
      what === "drawn" ? own.length : own.filter(({ outcome }) => outcome === what).length;
    return line(name, variantHead.map(count));
  };
  return [
    line("step of a correct design", variantHead),
    line(
      "---",
      variantHead.map(() => "---:"),
    ),
    ...names.map((name) =>
      row(
        name,
        variants.filter(({ steps }) => steps.includes(name)),
      ),
    ),
    row("all designs", variants),
  ];
}

function sabotageTable(mistakes: readonly SabotageResult[]): readonly string[] {
  const names = [...new Set(mistakes.map(({ name }) => name))].toSorted();
  const row = (name: string, own: readonly SabotageResult[]): string => {
    const tried = own.filter(({ found }) => found !== "unusable");
    const count = (what: (typeof sabotageHead)[number]): number => {
      if (what === "tried") return tried.length;
      if (what === "unusable") return own.length - tried.length;
      if (what === "not found") return tried.filter(({ found }) => found.length === 0).length;
      return tried.filter(({ found }) => found !== "unusable" && found.includes(what)).length;
    };
    return line(name, sabotageHead.map(count));
  };
  return [
    line("mistake", sabotageHead),
    line(
      "---",
      sabotageHead.map(() => "---:"),
    ),
    ...names.map((name) =>
      row(
        name,
        mistakes.filter((one) => one.name === name),
      ),
    ),
    row("all mistakes", mistakes),
  ];
}

function line(name: string, cells: readonly (string | number)[]): string {
  return `| ${[name, ...cells].join(" | ")} |`;
}

/** What failed, by signature, with the seeds. */
function openList(results: readonly DesignResult[]): readonly string[] {
  const groups = new Map<string, string[]>();
  const add = (signature: string, text: string): void => {
    groups.set(signature, [...(groups.get(signature) ?? []), text]);
  };
  for (const one of results.filter(isOpen)) {
    if (one.kind === "variant") {
      for (const { pattern, signature } of one.failures) {
        add(signature, `${one.seed}.${one.draw} ${pattern}: ${one.steps.join(" > ")}`);
      }
    } else if (isWrongRight(one)) {
      add(one.report, `${one.seed} ${one.pattern ?? ""}: right design of ${one.name}`);
    } else add(`not found: ${one.name}`, `${one.seed}: ${one.what}`);
  }
  const shown = 4;
  return [...groups]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([signature, all]) => [
      `${String(all.length).padStart(4)}  ${signature}`,
      ...all.slice(0, shown).map((text) => `        ${text}`),
    ]);
}

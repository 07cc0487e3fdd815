import type { Model } from "../../model/model.ts";
import { counted, listText, moneyText, numberText } from "../lint/words.ts";
import type { Proposal } from "./proposals.ts";

/** What could be repeated, for the user to decide: what it saves, what it costs, and what the document would say. */
export function proposalLines(
  proposals: readonly Proposal[] | undefined,
  { patterns }: Pick<Model, "patterns">,
): readonly string[] {
  if (proposals === undefined) return [];
  if (proposals.length === 0) return ["", "No attribute was found that is better repeated."];
  return proposals.flatMap((one) => {
    const names = [...one.copies.keys()].map((name) => `${one.source}.${name}`);
    const called = listText([...one.copies.values()]);
    const money =
      Math.abs(one.saves) < 0.005
        ? "It costs as much"
        : `It costs ${moneyText(Math.abs(one.saves))} a month ${one.saves > 0 ? "less" : "more"}`;
    const rate = (id: string): string => numberText(patterns.get(id)?.rps.average?.value ?? 0);
    return [
      "",
      `Decide: ${one.entity} could repeat ${listText(names)} (as ${called}), a moment behind.`,
      `    ${money}, with all that it takes to keep the copies up.`,
      ...one.patterns.map(({ id, before, after }) =>
        after < before
          ? `    Pattern ${id} takes ${counted(after, "request")} instead of ${before}.`
          : `    Pattern ${id} takes ${counted(after, "request")} as before.`,
      ),
      one.writers.length === 0
        ? `    Nothing changes ${listText(names)}, so the copies need nobody.`
        : `    A change by ${listText(one.writers.map((id) => `pattern ${id} (${rate(id)} a second)`))} then also writes ${numberText(one.each)} ${one.entity} on average.`,
      ...one.makers.map(
        (id) => `    Pattern ${id} has to know ${called} when it makes a ${one.entity}.`,
      ),
      "    The document would say, with these patterns in place of its own:",
      ...one.lines
        .trimEnd()
        .split("\n")
        .map((line) => `      ${line}`),
    ];
  });
}

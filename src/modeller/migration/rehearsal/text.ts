import { printable } from "../../../base/printable.ts";
import { textTable } from "../../cost/text-table.ts";
import { counted, numberText } from "../../lint/words.ts";
import { isWrong, type Rehearsal, type RehearsedStep } from "./rehearse.ts";

/** What came of a rehearsal, in words. Times are of this machine. */
export function rehearsalText(rehearsal: Rehearsal): string {
  const { items, seed, steps, back, hindrances } = rehearsal;
  if (hindrances.length > 0) {
    const lines = ["This cannot be rehearsed:", ...hindrances.map((one) => `  ${one}`)];
    return `${lines.map(printable).join("\n")}\n`;
  }
  const lines = [`Rehearsed with ${counted(items, "item")} (seed ${seed}):`, ""];
  lines.push(...tableOf([...steps, ...back]));
  for (const { title, left } of steps) {
    if (left.length > 0) lines.push(`not sent in "${title}": ${left.join(", ")}`);
  }
  lines.push("");
  const writes = steps.reduce((sum, one) => sum + one.writes, 0);
  const reads = steps.reduce((sum, one) => sum + one.reads, 0);
  if (isWrong(rehearsal)) {
    for (const { title, wrong } of [...steps, ...back]) {
      for (const one of wrong) lines.push(`wrong in "${title}": ${one}`);
    }
    lines.push("The plan does not do what it promises.");
  } else {
    lines.push(
      `No write was lost: all ${numberText(writes)} that were acknowledged are in the new tables.`,
      `${numberText(reads)} answers to old and new readers were right.`,
    );
    if (back.length > 0) lines.push("The way back was tried, and nothing was lost on it.");
  }
  return `${lines.map(printable).join("\n")}\n`;
}

function tableOf(steps: readonly RehearsedStep[]): readonly string[] {
  return textTable(
    ["step", "", "time", "items", "units", "writes", "reads right"],
    steps.map(({ title, milliseconds, items, units, writes, reads, wrong }) => [
      title,
      wrong.length === 0 ? "right" : "WRONG",
      `${(milliseconds / 1_000).toFixed(1)} s`,
      numberText(items),
      numberText(Math.round(units)),
      numberText(writes),
      numberText(reads),
    ]),
    2,
  );
}

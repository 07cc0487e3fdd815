import { counted } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";
import { patternName } from "../check-context.ts";

export const patternsSolved: Check = {
  id: "patterns-solved",
  title: "Every pattern is solved, served by something else, or declined",
  run(context) {
    const findings = new Findings();
    const { design, patterns, served } = context;
    findings.ask(context.questions("status"));
    if (design === undefined) {
      if (served.length > 0) {
        findings.open([], `No design answers ${counted(served.length, "pattern")} yet. (design)`);
      }
      return findings.outcome();
    }
    const solved = { read: 0, write: 0 };
    for (const pattern of served) {
      const { problem, requests } = context.plan(pattern);
      if (pattern.status === "open") continue;
      if (problem !== undefined) {
        findings.wrong(pattern.path, `${patternName(pattern)} cannot be carried out: ${problem}.`);
      } else if (requests.length > 0) solved[pattern.kind] += 1;
    }
    const elsewhere = patterns.filter(({ status }) => status === "alternative").length;
    const declined = patterns.filter(({ status }) => status === "declined").length;
    findings.saw(
      `Solved: ${counted(solved.read, "read")} and ${counted(solved.write, "write")}; served by something else: ${elsewhere}; declined: ${declined}.`,
    );
    return findings.outcome();
  },
};

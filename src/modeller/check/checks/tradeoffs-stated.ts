import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { tradesOf } from "../trades.ts";

export const tradeoffsStated: Check = {
  id: "tradeoffs-stated",
  title: "What was given up, and for what, is said",
  run(context) {
    const { design } = context;
    if (design === undefined) return notApplicable("There is no design yet.");
    const trades = tradesOf(context);
    if (trades.length === 0) return notApplicable("The design gives nothing up.");
    const findings = new Findings();
    const rejected = design.decisions.flatMap((one) => one.rejected ?? []);
    const found = listText(trades.map(({ what }) => what));
    if (design.tradeoffs.length === 0 && rejected.length === 0) {
      findings.open(["design"], `What is given up for ${found}? (tradeoffs)`);
    } else {
      findings.saw(
        `The design has ${found}; ${counted(design.tradeoffs.length, "trade-off")} and ${counted(rejected.length, "rejected way")} are stated.`,
      );
    }
    return findings.outcome();
  },
};

import { counted } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { fitOf } from "../fit/fit.ts";
import { fitSentence } from "../fit/sentence.ts";

export const fitsDynamodb: Check = {
  id: "fits-dynamodb",
  title: "DynamoDB is the right place for the larger part of it",
  run(context) {
    const fit = fitOf(context);
    const sentence = fitSentence(fit);
    if (fit.verdict === "unknown") return notApplicable(sentence);
    const findings = new Findings();
    const having = fit.criteria.filter(({ weight }) => weight === "for").length;
    findings.saw(
      `Speaking for it: ${having} of ${counted(fit.criteria.length, "criterion", "criteria")}.`,
    );
    if (fit.verdict === "does-not-fit") findings.wrong([], sentence);
    else findings.saw(sentence);
    return findings.outcome();
  },
};

import { amountText, numberText } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";
import { totalRates } from "../rates.ts";

/** What is stated may be rounder than the sum of the patterns. */
const tolerance = 1.5;

export const domainAndScale: Check = {
  id: "domain-and-scale",
  title: "It is said what the application is and how large it gets",
  run({ model, wanted }) {
    const findings = new Findings();
    const { domain, users, requests } = model.overview;
    const path = ["overview"];
    if (domain === undefined) findings.open(path, "What is the application about? (domain)");
    else findings.saw(`The domain is ${domain}.`);
    if (users === undefined && requests === undefined) {
      findings.open(path, "How many users or requests per second are expected? (scale)");
    }
    if (users !== undefined) findings.saw(`${amountText(users)} users are expected.`);
    const { average, peak, isWhole } = totalRates(wanted);
    const sum = `the patterns make ${numberText(average)} on average and ${numberText(peak)} at peak`;
    if (requests === undefined) return findings.outcome();
    const stated = `${amountText(requests)} requests per second are stated`;
    if (!isWhole) findings.saw(`${stated}.`);
    else if (requests.value * tolerance < average || requests.value > peak * tolerance) {
      findings.wrong([...path, "scale", "requests"], `${stated}, but ${sum}.`);
    } else findings.saw(`${stated}; ${sum}.`);
    return findings.outcome();
  },
};

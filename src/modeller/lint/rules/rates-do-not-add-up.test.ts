import { testRule } from "../lint.test-support.ts";
import { ratesDoNotAddUp } from "./rates-do-not-add-up.ts";

const workflow = (rate: string) =>
  [
    "design:\n  tables",
    `workflows:\n  buy: { steps: [session, place], rps: { average: ${rate} } }\n  again: { steps: [place], rps: { average: 1 } }\ndesign:\n  tables`,
  ] as const;
const requests = "scale: { requests: 120 }";

testRule(ratesDoNotAddUp, {
  "workflows above their step": {
    bad: [workflow("{ assumed: 2 }")],
    at: ["patterns.place.rps"],
    line: "rps: { average: 2, peak: 15 }",
    says: [
      "Pattern place runs less often",
      "It has 2 requests per second on average; buy and again need 3 (assumed)",
    ],
    good: { "workflows that make up the step": [workflow("1")] },
  },
  "more than all peaks": {
    bad: [[requests, "scale: { requests: 2_000 }"]],
    at: ["overview.scale.requests"],
    line: "requests: 2_000",
    says: [
      "The overview says 2,000 requests per second; the patterns make 120 on average and 555 if all",
    ],
    good: {
      "all peaks": [[requests, "scale: { requests: 555 }"]],
      "a rate that nobody knows": [
        [requests, "scale: { requests: 2_000 }"],
        ["rps: { average: 35, peak: 200 }", "rps: { peak: 200 }"],
      ],
    },
  },
  "less than all averages": {
    bad: [[requests, "scale: { requests: 50 }"]],
    at: ["overview.scale.requests"],
    line: "requests: 50",
    says: ["The overview says 50"],
  },
});

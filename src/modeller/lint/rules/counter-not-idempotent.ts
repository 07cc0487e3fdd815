import { mentions, patternText, runsText, textsOf } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

const words = /twice|double|retr(y|ied|ies)|again|idempot|approximat|roughly|about right/i;

export const counterNotIdempotent: Rule = {
  id: "counter-not-idempotent",
  severity: "hint",
  title: "A number that is added to counts twice when a request or a record comes twice.",
  topic: "update-expressions",
  *check({ served, tables, model }) {
    for (const pattern of served) {
      // A transaction has a token: sent again, it has no effect.
      if (pattern.transaction || mentions(textsOf(pattern), words)) continue;
      for (const action of pattern.actions) {
        if (action.adds.length === 0 || action.condition !== undefined) continue;
        const names = listText(action.adds.map(({ attribute }) => attribute));
        yield {
          path: action.path,
          message: `${patternText(pattern)} adds to ${names} of ${action.entity}, also when it is sent again.`,
          evidence: `SDKs send a request again when the answer is lost, and an ADD has then been made twice; ${runsText(pattern)}.`,
          cure: "Make it conditional on something that the first one changes, or say in the considerations that twice does no harm.",
        };
      }
    }
    const said = [...(model.design?.tradeoffs ?? []), ...model.overview.context];
    for (const { name, aggregates, consumers } of tables) {
      for (const { path, of, into, what, by } of aggregates) {
        if (by !== "stream" || (what !== "count" && what !== "sum")) continue;
        const texts = [...said, ...consumers.map(({ purpose }) => purpose)];
        if (mentions(texts, words)) continue;
        yield {
          path,
          message: `The stream of ${name} keeps ${into.entity}.${into.attribute}, and a record that comes twice counts twice.`,
          evidence: `A function that fails after half of a batch gets the whole batch again, and the ${what} of ${of} is then too high.`,
          cure: "Write the sequence number of the last record with the number and make the update conditional on it, or say in the trade-offs that twice does no harm.",
        };
      }
    }
  },
};

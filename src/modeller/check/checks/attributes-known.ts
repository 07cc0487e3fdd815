import { counted } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";

export const attributesKnown: Check = {
  id: "attributes-known",
  title: "The size of every attribute is known",
  run(context) {
    const findings = new Findings();
    const from = { given: 0, derived: 0, assumed: 0 };
    let count = 0;
    findings.ask(context.questions("size"));
    for (const { attributes } of context.entities) {
      for (const attribute of attributes.values()) {
        count += 1;
        if (attribute.size !== undefined) from[attribute.size.from] += 1;
      }
    }
    findings.saw(
      `Sizes of ${counted(count, "attribute")}: ${from.given} given, ${from.derived} by type and format, ${from.assumed} assumed.`,
    );
    return findings.outcome();
  },
};

import type { Path } from "../../../document/path.ts";
import type { Rate } from "../../../model/quantities.ts";
import { counted, numberText } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";
import { totalRates } from "../rates.ts";

export const rates: Check = {
  id: "rates",
  title: "Every pattern has an average and a peak rate, and none of them was made up",
  run(context) {
    const { wanted } = context;
    const findings = new Findings();
    findings.ask(context.questions("rate"));
    let assumed = 0;
    const look = (path: Path, what: string, rate: Rate): void => {
      for (const side of ["average", "peak"] as const) {
        const value = rate[side];
        if (value?.assumed !== true) continue;
        assumed += 1;
        if (value.why !== undefined) continue;
        findings.open(
          [...path, "rps"],
          `The ${side} of ${what} is assumed to be ${numberText(value.value)}: on what does that rest? (why)`,
        );
      }
    };
    for (const { id, name, path, rps } of wanted) look(path, `pattern ${id}, ${name},`, rps);
    for (const { name, path, rps } of context.model.workflows.values()) {
      look(path, `workflow ${name}`, rps);
    }
    const { average, peak } = totalRates(wanted);
    findings.saw(
      `Rates of ${counted(wanted.length, "pattern")}: ${numberText(average)} requests per second on average, ${numberText(peak)} at peak; ${counted(assumed, "number")} assumed.`,
    );
    return findings.outcome();
  },
};

import { expect, test } from "vitest";
import { runDesign } from "./design.ts";
import { UsageError } from "./usage-error.ts";

test.each([
  [["--style", "single"], "--style takes natural or generic, not 'single'."],
  [
    ["--weight", "indexes=2"],
    "A weight is dollars in a month for each of something, such as index=2, round-trip=0.5 or table=1, not 'indexes=2'.",
  ],
  [["--weight=index=2,index=3"], "The weight of index is said twice."],
])(
  "an option that means nothing is refused before anything is read: %j",
  async (args, sentence) => {
    const run = runDesign("nowhere.yaml", args, {});
    await expect(run).rejects.toThrow(new UsageError(sentence));
  },
);

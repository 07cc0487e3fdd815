import { counted } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";

export const patternsIdentified: Check = {
  id: "patterns-identified",
  title: "Every entity is used by a pattern",
  run({ entities, patterns, tables }) {
    const findings = new Findings();
    if (patterns.length === 0) {
      findings.open([], "What is asked of the data? (patterns)");
      return findings.outcome();
    }
    const used = new Set(
      patterns.flatMap(({ actions, together, with: others }) =>
        [...actions, ...together, ...others].map(({ entity }) => entity),
      ),
    );
    for (const { aggregates } of tables) {
      for (const { of, into } of aggregates) used.add(of).add(into.entity);
    }
    for (const { name, path } of entities) {
      if (!used.has(name)) {
        findings.open(path, `No pattern reads or writes ${name}: what is it for? (patterns)`);
      }
    }
    const reads = patterns.filter(({ kind }) => kind === "read").length;
    findings.saw(
      `${counted(reads, "read")} and ${counted(patterns.length - reads, "write")} use ${used.size} of ${counted(entities.length, "entity", "entities")}.`,
    );
    return findings.outcome();
  },
};

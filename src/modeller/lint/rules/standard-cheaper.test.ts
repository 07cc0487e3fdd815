import { testAccessRule } from "../access.test-support.ts";
import { standardCheaper } from "./standard-cheaper.ts";

const desk = "    Desk:\n";
const infrequent = [desk, `${desk}      class: infrequent-access\n`] as const;

testAccessRule(standardCheaper, {
  "a table that is busy": {
    bad: [infrequent, ["{ average: 30, peak: 100 }", "{ average: 300, peak: 1000 }"]],
    at: ["design.tables.Desk.class"],
    line: "class: infrequent-access",
    says: ["costs less in the standard class"],
    fixed: "    Desk:\n      key:",
    good: { "a table that holds much": [infrequent, ["count: 4_000_000", "count: 4_000_000_000"]] },
  },
});

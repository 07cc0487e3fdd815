import { testAccessRule } from "../access.test-support.ts";
import { longWorkflow } from "./long-workflow.ts";

const flow = (steps: string) =>
  `workflows:\n  shift: { steps: [${steps}], rps: { average: 2, peak: 15 } }\ndesign:\n`;

testAccessRule(longWorkflow, {
  "five steps": {
    bad: [["design:\n", flow("session, agent, waiting, ticket, comments")]],
    at: ["workflows.shift.steps"],
    line: "shift: {",
    says: ["shift makes 5 requests", "5 steps take 5 requests", "2 times per second"],
    good: { "four steps": [["design:\n", flow("session, waiting, ticket, comments")]] },
  },
  "few steps with several requests each": {
    bad: [
      ["design:\n", flow("session, waiting, ticket, comments")],
      ["projection: [ticketId, topic]", "projection: keys"],
    ],
    at: ["workflows.shift.steps"],
    line: "shift: {",
    says: ["4 steps take 5 requests; waiting takes 2 requests"],
  },
});

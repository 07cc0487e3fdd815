import { testAccessRule } from "../access.test-support.ts";
import { consumerWithoutFilter } from "./consumer-without-filter.ts";

const kind = "      discriminator: kind\n";
const stream = (consumer: string) =>
  `${kind}      stream: new-image\n      consumers: [${consumer}]\n`;
const agents = `      unique: [{ entity: Agent`;

testAccessRule(consumerWithoutFilter, {
  "one of several entities": {
    bad: [[kind, stream("{ name: search }")]],
    at: ["design.tables.Desk.consumers[0]"],
    line: "consumers",
    says: ["search reads the whole stream of Desk", "8.02 changes per second", "Ticket 49.9 %"],
    good: {
      "a filter": [[kind, stream("{ name: search, filter: { eventName: [INSERT] } }")]],
      "a table with one entity": [
        [agents, `      stream: new-image\n      consumers: [{ name: welcome }]\n${agents}`],
      ],
    },
  },
});

import { testAccessRule } from "../access.test-support.ts";
import { streamWithoutConsumer } from "./stream-without-consumer.ts";

const kind = "      discriminator: kind\n";
const stream = `${kind}      stream: new-image\n`;

testAccessRule(streamWithoutConsumer, {
  "a stream for nobody": {
    bad: [[kind, stream]],
    at: ["design.tables.Desk.stream"],
    line: "stream: new-image",
    says: ["Desk has a stream", "8.02 changes per second"],
    fixed: "discriminator: kind\n      entities:",
    good: {
      "a consumer": [[kind, `${stream}      consumers: [{ name: search }]\n`]],
      "a number that it keeps": [
        [kind, `${stream}      aggregates: [{ of: Ticket, into: Team.solved, by: stream }]\n`],
      ],
      "a service that it feeds": [
        [kind, stream],
        [
          "patterns:\n",
          "patterns:\n  find: { name: Search, read: Ticket, where: { text: contains }, rps: 1, status: alternative, alternative: { service: OpenSearch, via: stream, why: words } }\n",
        ],
      ],
    },
  },
});

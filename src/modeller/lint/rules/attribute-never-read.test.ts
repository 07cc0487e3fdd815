import { testRule } from "../lint.test-support.ts";
import { attributeNeverRead } from "./attribute-never-read.ts";

const returns = [
  "read: Session, where",
  "read: Session, returns: [sessionId, customerId], where",
] as const;
const colour = [
  "      sessionId: { type: S, format: uuid }\n",
  "      sessionId: { type: S, format: uuid }\n      agent: { type: S, bytes: 80 }\n",
] as const;

testRule(attributeNeverRead, {
  "what no read returns": {
    bad: [returns, colour],
    at: ["entities.Session.attributes.agent"],
    line: "agent: {",
    says: [
      "Session.agent is stored in Sessions and never read",
      "80 B on average in 200,000 items",
    ],
    good: {
      "a read that returns all": [colour],
      "an attribute that only expires items": [returns],
      "nobody reads the entity": [
        colour,
        [
          "  session: { name: Is somebody signed in, read: Session, where: { sessionId: equals, expiresAt: { greater: $now } }, rps: { average: 35, peak: 200 } }\n",
          "",
        ],
      ],
      "a stream whose reader may want it": [
        returns,
        colour,
        [
          "      ttl: expiresAt\n",
          "      ttl: expiresAt\n      stream: new-image\n      consumers: [{ name: audit }]\n",
        ],
      ],
    },
  },
});

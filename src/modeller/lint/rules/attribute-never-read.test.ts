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
  "what others of the same name are read for": {
    bad: [
      returns,
      colour,
      ["      visits: { type: N", "      agent: { type: S, bytes: 80 }\n      visits: { type: N"],
      ["      indexes:\n", "      indexes:\n        ByAgent: { key: { partition: agent } }\n"],
    ],
    at: ["entities.Session.attributes.agent"],
    line: "agent: {",
    says: ["None of 1 read of Session returns it"],
    good: {
      "the source of a copy": [
        returns,
        colour,
        [
          "note: { type: S, bytes: { min: 0, max: 200 } }",
          "note: { type: S, bytes: 80, copyOf: Session.agent, staleness: accepted }",
        ],
      ],
      "what a sum is made of": [
        returns,
        [colour[0], colour[1].replace("agent: { type: S, bytes: 80 }", "agent: { type: N }")],
        [
          "      ttl: expiresAt\n",
          "      ttl: expiresAt\n      aggregates: [{ of: Session, into: Customer.visits, what: sum, attribute: agent, by: { schedule: rate(1 hour) } }]\n",
        ],
      ],
      "what a condition looks at": [
        returns,
        colour,
        [
          "  session: { name",
          "  move: { name: Move, update: Session, where: { sessionId: equals }, changes: [expiresAt], condition: { agent: equals }, rps: { average: 1, peak: 2 } }\n  session: { name",
        ],
      ],
    },
  },
});

import { testAccessRule } from "../access.test-support.ts";
import { peakAboveCapacity } from "./peak-above-capacity.ts";

const sessions = "    Sessions:\n";

testAccessRule(peakAboveCapacity, {
  // 300 reads of 0.5 units at peak, 60 on average.
  "provisioned below the peak": {
    bad: [[sessions, `${sessions}      billing: { provisioned: { read: 60, write: 20 } }\n`]],
    at: ["design.tables.Sessions"],
    line: "billing:",
    says: ["150 read units per second at peak and takes 60", "30 read units per second on average"],
    price: { throttled: 0.6 },
    good: {
      "writes of an index, of which another rule speaks": [
        [
          "          purpose: tickets that somebody has to look at\n",
          "          purpose: tickets that somebody has to look at\n          maximum: { write: 10 }\n",
        ],
      ],
      enough: [[sessions, `${sessions}      billing: { provisioned: { read: 150, write: 20 } }\n`]],
      "auto scaling up to the peak": [
        [
          sessions,
          `${sessions}      billing: { provisioned: { read: 60, write: 20, autoScaling: { read: { min: 60, max: 150 } } } }\n`,
        ],
      ],
    },
  },
  "a maximum below the average": {
    bad: [[sessions, `${sessions}      maximum: { read: 15 }\n`]],
    at: ["design.tables.Sessions"],
    line: "maximum:",
    says: ["its maximum is 15"],
    price: { throttled: 0.9 },
  },
});

import { testRule } from "../lint.test-support.ts";
import { embeddedWithoutHost } from "./embedded-without-host.ts";

const host = 'part: "#ORDER" } }';

testRule(embeddedWithoutHost, {
  "nothing links the two": {
    bad: [[host, 'part: "#ORDER" }, embeds: [{ entity: Session, as: sessions }] }']],
    at: ["design.tables.Shop.entities.Order.embeds[0]"],
    line: "embeds",
    says: ["Session lies inside of Order", "which Order it belongs to"],
    good: {
      "the id of the host is in it": [
        [host, 'part: "#ORDER" }, embeds: [{ entity: Line, as: lines }] }'],
      ],
    },
  },
});

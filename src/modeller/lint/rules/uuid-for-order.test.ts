import { testRule } from "../lint.test-support.ts";
import { uuidForOrder } from "./uuid-for-order.ts";

const ulid =
  "    id: [orderId]\n    count: 5_000_000\n    attributes:\n      orderId: { type: S, format: ulid }";
const uuid = ulid.replace("ulid", "uuid");

testRule(uuidForOrder, {
  "newest first by a random id": {
    bad: [[ulid, uuid]],
    at: ["patterns.orders.order.orderId"],
    line: "orderId: descending",
    says: ["Pattern orders sorts Order by orderId"],
    good: {
      "a random id in another order": [
        [ulid, uuid],
        ["order: { orderId: descending }", "order: { placedAt: descending }"],
      ],
    },
  },
});

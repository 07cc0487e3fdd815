import { testRule } from "../lint.test-support.ts";
import { overlappingPrefixes } from "./overlapping-prefixes.ts";

const order = 'Order: { key: { owner: "O#{orderId}", part: "#ORDER" } }';
const inCustomer = 'Order: { key: { owner: "C#{customerId}", part: "O#{orderId}" } }';
const line = 'Line: { key: { owner: "O#{orderId}", part: "LINE#{position|pad:3}" } }';
const customer = [
  "      orderId: { type: S, format: ulid }\n      position:",
  "      orderId: { type: S, format: ulid }\n      buyerId: { type: S, format: ulid, mutable: false }\n      position:",
] as const;

testRule(overlappingPrefixes, {
  "lines among the orders of a customer": {
    bad: [
      [order, inCustomer],
      customer,
      [line, 'Line: { key: { owner: "C#{buyerId}", part: "O#{orderId}#{position|pad:3}" } }'],
    ],
    at: ["design.tables.Shop.entities.Order.key.part"],
    line: "O#{orderId}",
    says: ["Pattern orders asks for Order and reads Line too", "begin with 'O#'"],
    good: {
      "another word": [
        [order, inCustomer],
        customer,
        [line, 'Line: { key: { owner: "C#{buyerId}", part: "LINE#{orderId}#{position|pad:3}" } }'],
      ],
      "another partition": [
        [order, inCustomer],
        customer,
        [line, 'Line: { key: { owner: "O#{orderId}", part: "O#{position|pad:3}" } }'],
      ],
      "both are wanted": [
        [order, inCustomer],
        customer,
        [line, 'Line: { key: { owner: "C#{buyerId}", part: "O#{orderId}#{position|pad:3}" } }'],
        ["order: { orderId: descending }", "together: [Line], order: { orderId: descending }"],
      ],
    },
  },
});

import { expect, test } from "vitest";
import * as limits from "../../api/limits.ts";
import { dollars, perCent, prices, reservedDiscount, storageShare, utilisation } from "./book.ts";
import { bytes, count } from "./figures.ts";
import { plainLook } from "./layout.ts";
import type { Page } from "./page.ts";
import { allPages } from "./pages.ts";
import { pageText } from "./terminal.ts";
import type { TopicId } from "./topics.ts";

const textOf = (id: TopicId): string => pageText(allPages.get(id) as Page, plainLook(1_000));

test("prices are written as they are listed; what is not sure says so", () => {
  expect(dollars({ usd: 0.1, basis: "confirmed", source: "list" })).toBe("0.10");
  expect(dollars({ usd: 0.00065, basis: "derived", source: "list" })).toBe("0.00065");
  expect(dollars({ usd: 1_234.5, basis: "unsure", source: "list" })).toBe("about 1234.50");
});

test("where one way of paying becomes cheaper", () => {
  // 0.65 per million write unit hours at full use are 0.00065 / 3,600 s = 0.1806 per million writes, of 0.625.
  expect(perCent(utilisation, 1)).toBe("28.9 %");
  // 0.780 / 0.625 is 24.8 % more, and 0.10 / 0.25 saves 60 %.
  expect(perCent(storageShare, 1)).toBe("41.3 %");
  // 150 / 8,760 h + 0.0128 = 0.02992 for 100 units and an hour, instead of 0.065.
  expect(perCent(reservedDiscount(1))).toBe("54 %");
  expect(perCent(reservedDiscount(3))).toBe("77 %");
});

test("the pages tell the prices of the book", () => {
  const { standard, infrequentAccess, pointInTimeRecovery } = prices;
  expect(textOf("on-demand")).toContain(`${standard.readRequests.usd} dollars for a million read`);
  expect(textOf("on-demand")).toContain("about 3.5 times as much");
  expect(textOf("provisioned-and-auto-scaling")).toContain("0.0949 and 0.4745 in a month");
  expect(textOf("standard-infrequent-access")).toContain(dollars(infrequentAccess.storage));
  expect(textOf("pitr-and-backups")).toContain(`recovery ${dollars(pointInTimeRecovery)} dollars`);
  expect(textOf("reserved")).toContain("100 write units for 150 dollars and 0.0128 an hour");
  expect(textOf("constants")).toMatch(/A million read \/ write request units +0\.125 \/ 0\.625\n/);
});

test.each([
  ["An item, names and values", bytes(limits.itemSizeBytesMax), "400 KB"],
  ["A partition key's value", `${count(limits.partitionKeyBytesMax)} bytes`, "2,048 bytes"],
  ["BatchWriteItem, puts and deletes", count(limits.batchWriteRequestsMax), "25"],
  ["Transaction, actions", count(limits.transactionActionsMax), "100"],
  ["A page of Query or Scan", bytes(limits.pageBytesMax), "1 MB"],
  ["Global indexes of a table; can be raised", count(limits.globalIndexesMax), "20"],
  ["Projected attributes, all indexes together", count(limits.projectedAttributesMax), "100"],
  ["Hours that a stream keeps records", count(limits.streamRetentionHours), "24"],
  ["A partition, reads / writes", "3,000 / 1,000", "3,000 / 1,000"],
])("the constants have: %s", (what, fromCode, known) => {
  expect(fromCode).toBe(known);
  expect(textOf("constants")).toMatch(new RegExp(`^ +${what} +${known}$`, "m"));
});

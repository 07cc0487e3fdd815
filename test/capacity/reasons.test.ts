import { expect, test } from "vitest";
import { TableThroughput } from "../../src/capacity/table-throughput.ts";
import { type LimitKind, reasonOf, type ThrottlingReason } from "../../src/capacity/throttling.ts";
import type { Direction, ThroughputSettings } from "../../src/capacity/throughput.ts";
import { key, run, spread } from "./load.ts";

const warm = { read: 200_000, write: 200_000 };

/** Settings under which a load of 5,000 units, spread or not, meets the limit. */
const settingsFor: Readonly<Record<LimitKind, ThroughputSettings>> = {
  ProvisionedThroughputExceeded: { mode: "provisioned", provisioned: { read: 50, write: 50 } },
  KeyRangeThroughputExceeded: { mode: "on-demand" },
  AccountLimitExceeded: { mode: "on-demand", warm },
  MaxOnDemandThroughputExceeded: { mode: "on-demand", maximum: { read: 500, write: 500 } },
};

const rates: Readonly<Record<LimitKind, number>> = {
  ProvisionedThroughputExceeded: 1_000,
  KeyRangeThroughputExceeded: 5_000,
  AccountLimitExceeded: 50_000,
  MaxOnDemandThroughputExceeded: 1_000,
};

test.each<[ThrottlingReason, "table" | "index", Direction, LimitKind]>([
  ["TableReadProvisionedThroughputExceeded", "table", "read", "ProvisionedThroughputExceeded"],
  ["TableWriteProvisionedThroughputExceeded", "table", "write", "ProvisionedThroughputExceeded"],
  ["IndexReadProvisionedThroughputExceeded", "index", "read", "ProvisionedThroughputExceeded"],
  ["IndexWriteProvisionedThroughputExceeded", "index", "write", "ProvisionedThroughputExceeded"],
  ["TableReadKeyRangeThroughputExceeded", "table", "read", "KeyRangeThroughputExceeded"],
  ["TableWriteKeyRangeThroughputExceeded", "table", "write", "KeyRangeThroughputExceeded"],
  ["IndexReadKeyRangeThroughputExceeded", "index", "read", "KeyRangeThroughputExceeded"],
  ["IndexWriteKeyRangeThroughputExceeded", "index", "write", "KeyRangeThroughputExceeded"],
  ["TableReadAccountLimitExceeded", "table", "read", "AccountLimitExceeded"],
  ["TableWriteAccountLimitExceeded", "table", "write", "AccountLimitExceeded"],
  ["IndexReadAccountLimitExceeded", "index", "read", "AccountLimitExceeded"],
  ["IndexWriteAccountLimitExceeded", "index", "write", "AccountLimitExceeded"],
  ["TableReadMaxOnDemandThroughputExceeded", "table", "read", "MaxOnDemandThroughputExceeded"],
  ["TableWriteMaxOnDemandThroughputExceeded", "table", "write", "MaxOnDemandThroughputExceeded"],
  ["IndexReadMaxOnDemandThroughputExceeded", "index", "read", "MaxOnDemandThroughputExceeded"],
  ["IndexWriteMaxOnDemandThroughputExceeded", "index", "write", "MaxOnDemandThroughputExceeded"],
])("%s", (reason, place, direction, limit) => {
  const roomy: ThroughputSettings = { mode: "on-demand", warm };
  const table = new TableThroughput({
    settings: place === "table" ? settingsFor[limit] : roomy,
    indexes: { byDate: place === "index" ? settingsFor[limit] : roomy },
    now: 0,
  });
  const at = (i: number) => key(limit === "KeyRangeThroughputExceeded" ? 0.2 : spread(i));
  const { reasons } = run(table, {
    direction,
    rate: rates[limit],
    seconds: 3,
    charges: (i) => {
      const own = { index: place === "table" ? undefined : "byDate", position: at(i), units: 10 };
      if (place === "table" || direction === "read") return [own];
      // A write touches the table first, then the index.
      return [{ index: undefined, position: key(spread(i)), units: 1 }, own];
    },
  });
  // With an index, which of the two places meets the quota of both is a matter of luck.
  expect(reasons.has(reason)).toBe(true);
  if (limit !== "AccountLimitExceeded") expect([...reasons.keys()]).toEqual([reason]);
  expect(reasonOf({ index: place === "table" ? undefined : "byDate", direction, limit })).toBe(
    reason,
  );
});

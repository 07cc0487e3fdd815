import type { RegionPrices } from "../prices/price.ts";
import type { TableFacts } from "./bill.ts";
import { sumOfLines } from "./load.ts";
import type { Month } from "./month.ts";
import { gigabytes } from "./other-lines.ts";
import { capacityOf } from "./throughput.ts";
import { unitsOf } from "./throughput-lines.ts";

const freeGigabytes = 25;
const freeCapacity = 25;

/**
 * What the free tier of an account would take off: 25 GB, 25 RCU and 25 WCU, all of the Standard
 * class. It is not in the bill, because an account has it once and other tables may use it.
 */
export function freeTierDollars(
  tables: readonly TableFacts[],
  { standard }: RegionPrices,
  month: Month,
): number {
  let [stored, read, write] = [0, 0, 0];
  for (const load of tables.flatMap(({ loads }) => loads)) {
    if (load.class !== "standard") continue;
    stored += gigabytes(load.storageBytes);
    if (load.billing.mode === "on-demand" || load.local) continue;
    const { provisioned } = load.billing;
    const capacity = (side: "read" | "write"): number =>
      capacityOf(
        sumOfLines(load.lines, unitsOf(side)),
        provisioned.autoScaling[side] ?? provisioned[side],
      );
    read += capacity("read");
    write += capacity("write");
  }
  return (
    Math.min(freeGigabytes, stored) * standard.storage.usd +
    Math.min(freeCapacity, read) * standard.readCapacity.usd * month.hours +
    Math.min(freeCapacity, write) * standard.writeCapacity.usd * month.hours
  );
}

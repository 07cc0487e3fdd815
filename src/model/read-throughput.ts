import type { Path } from "../document/path.ts";
import type { Billing, Provisioned } from "./design.ts";
import type { BillingDocument, ProvisionedDocument, ScalingDocument } from "./document-design.ts";
import type { Reading } from "./reading.ts";

const defaultTarget = 70;

export function readProvisioned(
  reading: Reading,
  document: ProvisionedDocument | undefined,
  path: Path,
): Provisioned | undefined {
  if (document === undefined) return undefined;
  const scaling = (direction: "read" | "write"): Required<ScalingDocument> | undefined => {
    const own = document.autoScaling?.[direction];
    if (own === undefined) return undefined;
    if (own.min > own.max) {
      reading.say([...path, "autoScaling", direction], "has a min above its max");
    }
    return { min: own.min, max: own.max, target: own.target ?? defaultTarget };
  };
  const { read, write } = document;
  return { read, write, autoScaling: { read: scaling("read"), write: scaling("write") } };
}

export function readBilling(
  reading: Reading,
  document: BillingDocument | undefined,
  path: Path,
): Billing {
  if (document === undefined || document === "on-demand") return { mode: "on-demand" };
  const { reserved } = document;
  return {
    mode: "provisioned",
    provisioned: readProvisioned(reading, document.provisioned, [
      ...path,
      "provisioned",
    ]) as Provisioned,
    reserved: reserved && {
      read: reserved.read ?? 0,
      write: reserved.write ?? 0,
      years: reserved.years,
    },
  };
}

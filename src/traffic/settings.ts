import { isDeepStrictEqual } from "node:util";
import type { ThroughputSettings } from "../capacity/throughput.ts";
import {
  type BillingMode,
  type OnDemandLimits,
  type ScalableTargets,
  scalingPolicies,
  type Throughput,
  type WarmThroughput,
} from "../engine/descriptor.ts";

/** A table or a global index, as far as its throughput goes. */
interface Described {
  readonly throughput?: Throughput;
  readonly onDemand?: OnDemandLimits;
  readonly warm?: WarmThroughput;
  readonly scaling?: ScalableTargets;
}

/** How much a table or index may use, as its description says. */
export function settingsOf(mode: BillingMode, described: Described): ThroughputSettings {
  const { throughput, onDemand, warm } = described;
  if (mode === "PROVISIONED") {
    const { read, write } = throughput ?? { read: 0, write: 0 };
    const autoScaling = scalingPolicies(described);
    return {
      mode: "provisioned",
      provisioned: { read, write },
      ...(warm !== undefined && { warm }),
      ...(autoScaling !== undefined && { autoScaling }),
    };
  }
  return {
    mode: "on-demand",
    ...(onDemand !== undefined && { maximum: { read: onDemand.read, write: onDemand.write } }),
    ...(warm !== undefined && { warm }),
  };
}

export function sameSettings(one: ThroughputSettings, two: ThroughputSettings): boolean {
  return isDeepStrictEqual(one, two);
}

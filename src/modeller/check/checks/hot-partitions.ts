import { type Direction, partitionUnitsMax } from "../../../capacity/throughput.ts";
import type { HottestKey, KeyFamily, KeyLoad } from "../../heat/key-load.ts";
import { counted, listText, numberText, shareText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";

const directions: readonly Direction[] = ["write", "read"];
/** What takes less of a partition than this is not worth a sentence. */
const warmShare = 0.1;

export const hotPartitions: Check = {
  id: "hot-partitions",
  title: "At peak, no key takes more than one partition gives",
  run(context) {
    if (context.design === undefined) return notApplicable("There is no design yet.");
    const findings = new Findings();
    let families = 0;
    let hottest: Heat | undefined;
    for (const load of context.keyLoads) {
      for (const family of load.families) {
        families += 1;
        for (const direction of directions) {
          const heat = heatOf(load, family, direction);
          if (hottest === undefined || heat.share > hottest.share) hottest = heat;
          if (heat.share > 1) tooHot(findings, heat);
          else if (heat.share > warmShare) findings.saw(`The ${sentence(heat)}.`);
        }
      }
    }
    if (hottest !== undefined && hottest.share <= warmShare) {
      findings.saw(`The ${sentence(hottest)}.`);
    }
    findings.saw(`${counted(families, "kind")} of partition keys were looked at.`);
    return findings.outcome();
  },
};

interface Heat {
  readonly load: KeyLoad;
  readonly family: KeyFamily;
  readonly direction: Direction;
  readonly key: HottestKey;
  /** Units per second at peak that patterns ask of the hottest key. */
  readonly units: number;
  /** Of what a partition gives. */
  readonly share: number;
  readonly patterns: readonly string[];
}

/**
 * What a design does by itself is left out: who keeps a number from a stream or on a schedule writes an item once for
 * all that happened to it since, and waits where it has to.
 */
function heatOf(load: KeyLoad, family: KeyFamily, direction: Direction): Heat {
  const key = family.hottest[direction];
  const lines = key.lines.filter(({ pattern, units }) => pattern !== undefined && units.peak > 0);
  const units = lines.reduce((sum, one) => sum + one.units.peak, 0);
  const patterns = [...new Set(lines.flatMap(({ pattern }) => pattern ?? []))];
  return {
    load,
    family,
    direction,
    key,
    units,
    share: units / partitionUnitsMax[direction],
    patterns,
  };
}

function tooHot(findings: Findings, heat: Heat): void {
  const { load, family, direction, units, patterns } = heat;
  const path = (load.index ?? load.table).path;
  const [question] = family.open;
  if (question !== undefined) {
    findings.open(path, `${question} If there is only one, the ${sentence(heat)}.`);
    return;
  }
  const times = Math.ceil(units / partitionUnitsMax[direction]) * family.shards;
  findings.wrong(
    path,
    `The ${sentence(heat)}, by ${listText(patterns)}: ${numberText(times)} shards would hold it.`,
  );
}

function sentence({ load, family, direction, key, units, share }: Heat): string {
  const at = key.at.length === 0 ? "" : ` with ${listText(key.at)}`;
  const of = family.count === undefined ? "" : ` of ${counted(family.count, "key")}`;
  return `hottest${of} ${family.text} in ${load.name}${at} takes ${numberText(units)} ${direction} units per second at peak, ${shareText(share)} of a partition`;
}

import type { IndexDraft } from "./drafts.ts";
import type { LayoutOption, Way } from "./options.ts";
import type { LayoutCost } from "./pricing.ts";
import type { Upkeep } from "./read-cost.ts";

/** What a user would pay in a month, beyond the bill, not to have something. */
export interface Weights {
  /** Dollars for each index. */
  readonly index: number;
  /** Dollars for each round trip in a second. */
  readonly roundTrip: number;
  /** Dollars for each table. */
  readonly table: number;
}

export const noWeights: Weights = { index: 0, roundTrip: 0, table: 0 };

const names = new Map<string, keyof Weights>([
  ["index", "index"],
  ["round-trip", "roundTrip"],
  ["table", "table"],
]);

/** What `index=2, round-trip=0.5` means; a sentence if it means nothing. */
export function weightsOf(text: string): Weights | string {
  const weights: Record<keyof Weights, number> = { ...noWeights };
  const said = new Set<string>();
  for (const one of text.split(",").map((part) => part.trim())) {
    const [, name = "", amount = ""] = /^([a-z-]+)\s*=\s*\$?(\d+(?:\.\d+)?)$/.exec(one) ?? [];
    const which = names.get(name);
    if (which === undefined) {
      return `A weight is dollars in a month for each of something, such as index=2, round-trip=0.5 or table=1, not '${one}'.`;
    }
    if (said.has(name)) return `The weight of ${name} is said twice.`;
    said.add(name);
    weights[which] = Number(amount);
  }
  return weights;
}

export function isWeighed({ index, roundTrip, table }: Weights): boolean {
  return index + roundTrip + table > 0;
}

/** `$2 for each index, $0.5 for each round trip in a second`. */
export function weightsText({ index, roundTrip, table }: Weights): string {
  const all: readonly (readonly [number, string])[] = [
    [index, "index"],
    [roundTrip, "round trip in a second"],
    [table, "table"],
  ];
  return all
    .flatMap(([dollars, what]) => (dollars === 0 ? [] : [`$${dollars} for each ${what}`]))
    .join(", ");
}

/** The same layout if what is weighed had to be paid for. What it really costs stays beside it. */
export function weighed(option: LayoutOption, weights: Weights): LayoutOption {
  if (!isWeighed(weights)) return option;
  const { whole, refined } = option;
  const tables = weights.table * option.layout.tables.size;
  return {
    ...option,
    plain: option,
    ...(refined && { refined: (drafts) => weighed(refined(drafts), weights) }),
    upkeep: withMore(option.upkeep, tables),
    indexes: option.indexes.map((one) => ({ ...one, upkeep: withMore(one.upkeep, weights.index) })),
    ways: new Map(
      [...option.ways].map(([id, ways]) => [
        id,
        ways.map((way): Way => ({ ...way, extra: way.trips * weights.roundTrip })),
      ]),
    ),
    ...(whole && {
      whole: (drafts: readonly IndexDraft[]) => {
        const cost = whole(drafts);
        if (cost === undefined) return undefined;
        const more = tables + weights.index * drafts.length + weights.roundTrip * tripsOf(cost);
        return { upkeep: withMore(cost.upkeep, more), reads: cost.reads };
      },
    }),
  };
}

function tripsOf({ reads }: Pick<LayoutCost, "reads">): number {
  return [...reads.values()].reduce((sum, { trips }) => sum + trips, 0);
}

function withMore({ storage, writes }: Upkeep, dollars: number): Upkeep {
  return { storage: storage + dollars, writes };
}

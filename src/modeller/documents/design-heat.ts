import type { KeyHeat } from "../heat/heat.ts";
import {
  amplificationSentence,
  isNotable,
  keySentences,
  limitSentence,
  quotaSentence,
  unitsText,
} from "../heat/words.ts";
import { counted, numberText, shareText } from "../lint/words.ts";
import {
  type Block,
  code,
  heading,
  type Line,
  type ListItem,
  list,
  paragraph,
  table,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { heatVerdict, patternList } from "./words.ts";

/** How the peak falls on partition keys. */
export function heatSection({ heat, simulated }: Material): readonly Block[] {
  const assumed = new Set(
    heat.places.flatMap(({ keys }) => keys.flatMap(({ family }) => family.assumptions)),
  );
  return [
    heading(2, "Hot partition analysis"),
    paragraph(
      `${heatVerdict(heat)} A partition gives 3,000 read and 1,000 write units per second, whatever the table has; these are the loads of single keys at peak, on average over the keys and of the hottest.`,
    ),
    table(
      [
        "Table or index",
        "Partition key",
        "Keys",
        "Visits of a key per second",
        "Hottest: read units",
        "Hottest: write units",
        "Shards",
        "Verdict",
      ],
      heat.places.flatMap(({ load, keys }) => keys.map((key) => keyRow(load.name, key))),
      { numbers: [2, 3, 4, 5], otherwise: heat.empty ?? "No key is used." },
    ),
    ...list(
      heat.places.flatMap((place) => {
        const amplified = amplificationSentence(place);
        const below: readonly Line[] = [
          ...(amplified === undefined ? [] : [amplified]),
          ...place.limits
            .filter(({ over, kind }) => over || kind !== "new table")
            .map(limitSentence),
          ...place.keys
            .filter(isNotable)
            .map((key): Line => [code(key.family.text), `: ${notableText(key)}`]),
        ];
        return below.length === 0 ? [] : [{ line: code(place.load.name), below }];
      }),
    ),
    ...list(heat.quotas.filter(({ over }) => over).map(quotaSentence)),
    ...simulation(simulated),
    ...(assumed.size === 0 ? [] : [paragraph("Assumed, because nobody said otherwise:")]),
    ...list([...assumed].map((one): ListItem => ({ line: `${one}.` }))),
  ];
}

function keyRow(
  place: string,
  { family, visitsPerKey, read, write, shards }: KeyHeat,
): readonly Line[] {
  const over = read.over || write.over;
  const uncertain = read.uncertain || write.uncertain;
  return [
    place,
    code(family.text),
    family.count === undefined ? "not known" : numberText(family.count),
    visitsPerKey === undefined ? "not known" : unitsText(visitsPerKey),
    `${unitsText(read.units)} of ${numberText(read.ceiling)}`,
    `${unitsText(write.units)} of ${numberText(write.ceiling)}`,
    shards.needed === 1 && shards.present === 1
      ? "none needed"
      : `${shards.needed === 1 ? "none" : shards.needed} needed, ${shards.present === 1 ? "none" : shards.present} there`,
    over ? (uncertain ? "❓ too much at worst" : "❌ too much") : "✅ fine",
  ];
}

/** What takes less of a partition than this needs no words. */
const warmShare = 0.02;

/** Who makes the hottest key hot, and what is to be said of it besides. */
function notableText(key: KeyHeat): string {
  const { family, read, write } = key;
  const used = [write, read].filter(({ units }) => units > 0);
  const warm = used.filter(({ units, ceiling }) => units >= ceiling * warmShare);
  const hottest = warm.map(({ direction, units, ceiling }) => {
    const { at, share, lines } = family.hottest[direction];
    const where = at.length === 0 ? "" : ` (${at.join(", ")})`;
    const who = patternList(
      lines.flatMap((one) => (one.units.peak >= units / 20 ? (one.pattern ?? []) : [])),
    );
    return `The hottest key${where} gets ${shareText(share)} of the ${direction}s, ${unitsText(units)} of ${numberText(ceiling)} units per second, from ${who || "what the design does by itself"}.`;
  });
  // The first sentence is how many keys there are, then comes one for each direction: the table has them.
  return [...hottest, ...keySentences(key).slice(1 + used.length)].join(" ");
}

function simulation(all: Material["simulated"]): readonly Block[] {
  if (all === undefined || all.length === 0) return [];
  const simulated = all.filter(({ flows }) => flows.length > 0);
  const notes = all.flatMap((one) => one.notes);
  return [
    heading(3, "The peak, simulated"),
    paragraph([...simulationVerdict(simulated), ...notes].join(" ")),
    table(
      [
        "Table or index",
        "Direction",
        "Units per second",
        "Throttled",
        "On the hottest partition",
        "Partitions",
      ],
      simulated.flatMap(({ flows }) =>
        flows.map(({ place, direction, consumed, throttledShare, hottestShare, partitions }) => [
          place,
          `${direction}s`,
          unitsText(consumed),
          shareText(throttledShare),
          shareText(hottestShare),
          numberText(partitions),
        ]),
      ),
      { numbers: [2, 3, 4, 5], otherwise: "Nothing was asked of any table." },
    ),
  ];
}

function simulationVerdict(simulated: NonNullable<Material["simulated"]>): readonly string[] {
  if (simulated.length === 0) return [];
  const throttled = simulated.filter(({ throttledShare }) => throttledShare > 0);
  const seconds = Math.max(...simulated.map((one) => one.seconds));
  const verdict =
    throttled.length === 0
      ? "nothing is throttled"
      : `throttled: ${throttled.map(({ table: name, throttledShare }) => `${shareText(throttledShare)} of the requests to ${name}`).join(", ")}`;
  return [
    `${counted(seconds, "second")} of the peak on tables that have served it before: ${verdict}.`,
  ];
}

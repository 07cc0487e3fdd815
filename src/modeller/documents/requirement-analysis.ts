import type { Entity, Pattern, Skew } from "../../model/requirements.ts";
import { optionText } from "../cost/text.ts";
import type { KeyHeat, PlaceHeat } from "../heat/heat.ts";
import { unitsText } from "../heat/words.ts";
import { bytesText, listText, moneyText, numberText } from "../lint/words.ts";
import {
  type Block,
  code,
  heading,
  type ListItem,
  link,
  list,
  paragraph,
  strong,
  table,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { amountOf, heatVerdict, notStated, patternList, percentOf, stated } from "./words.ts";

/** What was thought of on the way to the design. */
export function considerationsSection(material: Material): readonly Block[] {
  const { model, heat } = material;
  const hot = heat.places.flatMap((place) => place.keys.flatMap((key) => warmText(place, key)));
  return [
    heading(2, "Design considerations"),
    paragraph([
      "What the requirements ask a design to think of.",
      ...(model.design === undefined
        ? [" There is no design yet."]
        : [
            " The design that was chosen, with its reasons, is in ",
            link("dynamodb_data_model.md", "dynamodb_data_model.md"),
            ".",
          ]),
    ]),
    ...list([
      topic("Hot partitions", [
        ...(model.design === undefined ? [heat.empty ?? ""] : [heatVerdict(heat)]),
        ...hot,
      ]),
      topic("Skewed values", skewLines(material)),
      topic("Index projections", projectionLines(material)),
      topic("Copies", copyLines(material)),
      topic("Values that must be unique", uniqueLines(material)),
      topic("Writers that meet", writerLines(material)),
      topic("Data that ends", endLines(material)),
      topic("Other services", serviceLines(material)),
      topic("Streams and functions", streamLines(material)),
      topic("Cost", costLines(material)),
    ]),
  ];
}

/** From a tenth of what a partition can do on, a key is worth a thought. */
function warmText({ load }: PlaceHeat, { family, read, write }: KeyHeat): readonly string[] {
  return [write, read].flatMap(({ direction, units, ceiling }) => {
    if (units < ceiling / 10) return [];
    const { at, lines } = family.hottest[direction];
    const count = family.count === undefined ? "" : ` of ${numberText(family.count)} keys`;
    const where = at.length === 0 ? "" : ` (${at.join(", ")})`;
    const who = patternList(lines.flatMap(({ pattern }) => pattern ?? []));
    return [
      `${load.name}, ${family.text}: the hottest${count}${where} gets ${unitsText(units)} of ${numberText(ceiling)} ${direction} units per second at peak, from ${who || "what the design does by itself"}.`,
    ];
  });
}

function topic(name: string, lines: readonly string[]): ListItem {
  return lines.length === 0
    ? { line: [strong(`${name}:`), " nothing of the kind is stated."] }
    : { line: strong(`${name}:`), below: lines };
}

function entityAttributes({ model }: Material) {
  return [...model.entities.values()].flatMap((entity) =>
    [...entity.attributes.values()].map((attribute) => ({ entity, attribute })),
  );
}

function skewLines(material: Material): readonly string[] {
  const said = (what: string, { kind, value }: Skew): string =>
    kind === "hottest"
      ? `${what}: the hottest value has ${percentOf(value.value)}${value.assumed ? " (assumed)" : ""}.`
      : `${what}: by Zipf's law with the exponent ${stated(value)}.`;
  return [
    ...entityAttributes(material).flatMap(({ entity, attribute: { name, skew } }) =>
      skew === undefined ? [] : [said(`${entity.name}.${name}`, skew)],
    ),
    ...[...material.model.patterns.values()].flatMap(({ id, name, skew }) =>
      skew === undefined ? [] : [said(`${skew.key} in #${id} ${name}`, skew)],
    ),
  ];
}

function projectionLines({ tables }: Material): readonly string[] {
  return tables.flatMap(({ name, indexes }) =>
    [...indexes.values()].map(({ name: index, projection }) => {
      const what =
        projection === "all"
          ? "all attributes"
          : projection === "keys"
            ? "keys alone"
            : `the keys and ${listText(projection)}`;
      return `${name}.${index} has ${what}.`;
    }),
  );
}

function copyLines(material: Material): readonly string[] {
  return entityAttributes(material).flatMap(
    ({ entity, attribute: { name, copyOf, staleness } }) => {
      if (copyOf === undefined) return [];
      const word =
        staleness === "accepted"
          ? "it may be behind"
          : staleness === "refused"
            ? "it must not be behind"
            : "whether it may be behind is not stated";
      return [`${entity.name}.${name} repeats ${copyOf.entity}.${copyOf.attribute}; ${word}.`];
    },
  );
}

function uniqueLines(material: Material): readonly string[] {
  return entityAttributes(material)
    .filter(({ attribute }) => attribute.unique)
    .map(({ entity, attribute }) => {
      const kept = material.tables.some(({ unique }) =>
        unique.some((one) => one.entity === entity.name && one.attribute === attribute.name),
      );
      return `${entity.name}.${attribute.name}${kept ? " is kept unique by an item for each value." : ": the design does not keep it unique."}`;
    });
}

function writerLines({ model }: Material): readonly string[] {
  return [...model.patterns.values()].flatMap(({ id, name, writers, actions }) => {
    if (writers === undefined) return [];
    const guarded = actions.some(({ condition }) => condition !== undefined);
    return [
      `#${id} ${name}: ${amountOf(writers.value)}${writers.assumed ? " (assumed)" : ""} at once, ${guarded ? "under a condition" : "without a condition"}.`,
    ];
  });
}

function endLines({ model, tables }: Material): readonly string[] {
  const kept = [...model.entities.values()].flatMap(({ name, retentionMs }) =>
    retentionMs === undefined
      ? []
      : [`${name} is kept for ${amountOf(retentionMs / 86_400_000)} days.`],
  );
  const ttl = tables.flatMap((one) =>
    one.ttl === undefined
      ? []
      : [`${one.name} takes items away after the time in ${one.ttl.attribute}.`],
  );
  return [...kept, ...ttl];
}

function serviceLines({ model }: Material): readonly string[] {
  return [...model.patterns.values()].flatMap(({ id, name, alternative }) =>
    alternative === undefined
      ? []
      : [
          `#${id} ${name}: ${alternative.service}${alternative.via === undefined ? "" : `, fed by ${alternative.via}`}, because ${alternative.why}.`,
        ],
  );
}

function streamLines({ tables }: Material): readonly string[] {
  return tables.flatMap(({ name, stream, consumers, aggregates }) => [
    ...(stream === undefined
      ? []
      : [
          `${name} has a stream (${stream})${consumers.length === 0 ? "" : `, read by ${listText(consumers.map((one) => one.name))}`}.`,
        ]),
    ...aggregates.map(
      ({ of, into, what, by }) =>
        `${into.entity}.${into.attribute} is the ${what} of ${of}, kept ${typeof by === "string" ? `by ${by}` : `on the schedule ${by.schedule}`}.`,
    ),
  ]);
}

function costLines({ cost, costWhy }: Material): readonly string[] {
  if (cost === undefined) return costWhy === undefined ? [] : [costWhy];
  return [
    `The design costs ${moneyText(cost.total.average)} a month in ${cost.region} at average rates.`,
    ...cost.modes.flatMap(({ table: name, now, options }) => {
      const [cheapest] = options;
      if (cheapest === undefined || now - cheapest.total < 0.005) return [];
      return [
        `${name}: ${optionText(cheapest)} would cost ${moneyText(cheapest.total)} instead of ${moneyText(now)} for throughput and storage${cheapest.mode === "on-demand" ? "" : "; a peak that comes faster than capacity follows is throttled"}.`,
      ];
    }),
  ];
}

/** Which patterns meet on which entity, and what is read in one go. */
export function crossPatternSection(material: Material): readonly Block[] {
  const { model, heat } = material;
  const collections = heat.places.flatMap(({ load, keys }) =>
    keys.flatMap(({ family, collection }) =>
      collection === undefined
        ? []
        : [
            [
              load.name,
              code(family.text),
              family.records.join(", "),
              family.count === undefined ? "not known" : amountOf(family.count),
              bytesText(collection.average),
              collection.max === undefined ? "not stated" : bytesText(collection.max),
              patternList(family.touches.flatMap(({ pattern }) => pattern ?? [])),
            ],
          ],
    ),
  );
  return [
    heading(2, "Patterns across entities"),
    table(
      [
        "Entity",
        "Read by",
        "Created by",
        "Changed by",
        "Deleted by",
        "Reads per second",
        "Writes per second",
      ],
      [...model.entities.values()].map((entity) => usesOf(entity, [...model.patterns.values()])),
      { numbers: [5, 6], otherwise: "There are no entities yet." },
    ),
    paragraph(
      "Rates are averages of the patterns that DynamoDB has to answer; what is read together with another entity counts as read.",
    ),
    heading(3, "Item collections"),
    paragraph(
      "What lies under one partition key, and is read or written there. Bytes are those of one collection, on average and at most.",
    ),
    table(
      [
        "Table or index",
        "Partition key",
        "Kinds of items",
        "Keys",
        "Bytes on average",
        "Bytes at most",
        "Patterns",
      ],
      collections,
      {
        numbers: [3, 4, 5],
        otherwise:
          model.design === undefined
            ? "There is no design yet, so nothing lies under a key."
            : "No collection has a size that is known.",
      },
    ),
    ...list(
      model.relations.flatMap(({ from, to, together }) =>
        together === undefined
          ? []
          : [
              `${from} and ${to} are wanted together in ${percentOf(together.value)} of the cases${together.assumed ? " (assumed)" : ""}: ${togetherText(material, from, to)}`,
            ],
      ),
    ),
  ];
}

function usesOf({ name }: Entity, patterns: readonly Pattern[]): readonly string[] {
  const served = patterns.filter(({ status }) => status !== "declined" && status !== "alternative");
  const doing = (kind: string): readonly Pattern[] =>
    served.filter(
      ({ actions, together }) =>
        actions.some((one) => one.entity === name && one.kind === kind) ||
        (kind === "read" && together.some(({ entity }) => entity === name)),
    );
  const text = (kind: string): string => patternList(doing(kind).map(({ id }) => id)) || "nobody";
  const rate = (own: readonly Pattern[]): string => {
    const known = own.filter(({ rps }) => rps.average !== undefined);
    if (own.length > 0 && known.length === 0) return notStated;
    const sum = known.reduce((all, { rps }) => all + (rps.average?.value ?? 0), 0);
    return `${amountOf(sum)}${known.length < own.length ? ", and what is not stated" : ""}`;
  };
  const writes = served.filter(({ actions }) =>
    actions.some((one) => one.entity === name && !["read", "check"].includes(one.kind)),
  );
  return [
    name,
    text("read"),
    text("create"),
    text("update"),
    text("delete"),
    rate(doing("read")),
    rate(writes),
  ];
}

/** Whether a design keeps two entities under one key. */
function togetherText({ heat, model }: Material, from: string, to: string): string {
  if (model.design === undefined) return "no design says yet where they lie.";
  const place = heat.places.find(({ keys }) =>
    keys.some(({ family: { touches } }) =>
      [from, to].every((name) => touches.some(({ record }) => record.entity.name === name)),
    ),
  );
  const embedded = [...model.design.tables.values()].some(({ placements }) =>
    placements.get(from)?.embeds.some(({ entity }) => entity === to),
  );
  if (embedded) return `${to} lies inside of ${from}.`;
  return place === undefined
    ? "they lie under different keys."
    : `both lie under one key of ${place.load.name}.`;
}

import type { Relation } from "../../model/requirements.ts";
import { bytesText, counted, listText, numberText } from "../lint/words.ts";
import { type Block, heading, type ListItem, list, strong } from "./markdown.ts";
import type { Material } from "./material.ts";
import { notStated, ratesText, stated } from "./words.ts";

const kindSigns = { "one-to-one": "1:1", "one-to-many": "1:M", "many-to-many": "M:N" } as const;

/** What the application is, and how large. */
export function overviewSection(material: Material): readonly Block[] {
  const { model } = material;
  const { domain, context, compliance, region } = model.overview;
  const item = (name: string, text: string, below: readonly string[] = []): ListItem => ({
    line: [strong(`${name}:`), ` ${text}`],
    below,
  });
  return [
    heading(2, "Application overview"),
    ...list([
      item("Domain", domain ?? notStated),
      item("Key entities", entitiesText(material)),
      item("Business context", context.length === 0 ? notStated : "", context),
      item("Compliance", compliance.length === 0 ? notStated : compliance.join(", ")),
      item("Personal data", personalText(material)),
      item("Scale", "", scaleLines(material)),
      item("Region", region ?? notStated),
    ]),
  ];
}

function entitiesText({ model }: Material): string {
  const related = new Set(model.relations.flatMap(({ from, to, via }) => [from, to, via]));
  const alone = [...model.entities.keys()].filter((name) => !related.has(name));
  const parts = [...model.relations.map(relationText), ...alone];
  return parts.length === 0 ? notStated : parts.join(", ");
}

export function relationText({ from, to, kind, via }: Relation): string {
  return `${from} (${kindSigns[kind]}) ${to}${via === undefined ? "" : ` by ${via}`}`;
}

export function personalAttributes({ model }: Material): readonly string[] {
  return [...model.entities.values()].flatMap(({ name, attributes }) =>
    [...attributes.values()].filter(({ personal }) => personal).map((one) => `${name}.${one.name}`),
  );
}

function personalText(material: Material): string {
  const names = personalAttributes(material);
  return names.length === 0 ? "no attribute is marked as personal" : listText(names);
}

function scaleLines(material: Material): readonly string[] {
  const { model, facts, loads } = material;
  const { users, requests } = model.overview;
  const wanted = [...model.patterns.values()].filter(({ status }) => status !== "declined");
  const counts = [...model.entities.values()].map((entity) => facts.cardinality.count(entity));
  const known = counts.filter((one) => one !== undefined);
  const items = known.reduce((sum, one) => sum + one.value, 0);
  const bytes = loads.loads.reduce((sum, one) => sum + one.storageBytes, 0);
  const growth = [...model.entities.values()].reduce(
    (sum, one) => sum + (one.growthPerMonth?.value ?? 0),
    0,
  );
  return [
    `Users: ${stated(users)}.`,
    `Requests per second that were stated: ${stated(requests)}.`,
    `Requests per second of ${counted(wanted.length, "pattern")} together, as if all peaks came at once: ${ratesText(wanted)}.`,
    known.length === 0
      ? `How many entities are stored: ${notStated}.`
      : `${numberText(items)} entities are stored${known.length < counts.length ? `, without ${counted(counts.length - known.length, "kind")} that nobody counted` : ""}; ${growth === 0 ? "how fast they grow in number is not stated" : `${numberText(growth)} more come in a month`}.`,
    ...(bytes > 0
      ? [`${bytesText(bytes)} with all indexes, with the bytes that the service adds to each item.`]
      : []),
  ];
}

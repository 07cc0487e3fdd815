import type { Aggregate, Table } from "../../model/design.ts";
import { counted, listText, numberText } from "../lint/words.ts";
import { integrationDiagram } from "./design-diagrams.ts";
import { type Block, code, fence, heading, type Line, list, paragraph, table } from "./markdown.ts";
import type { Material } from "./material.ts";
import { durationText, notStated, patternList, percentOf, stated } from "./words.ts";

/** What lies beside the tables: readers of streams, other services, numbers that are kept, caches. */
export function integrationsSection(material: Material): readonly Block[] {
  const { model, tables } = material;
  const diagram = integrationDiagram(material);
  return [
    heading(2, "Integrations"),
    ...(diagram === undefined ? [] : [fence("mermaid", diagram)]),
    heading(3, "Streams and functions"),
    table(
      [
        "Table",
        "Stream",
        "Read by",
        "What for",
        "Batch",
        "Waits for at most",
        "Begins at",
        "Only",
        "If a batch fails",
      ],
      tables.flatMap(({ name, stream, consumers }): readonly (readonly Line[])[] =>
        consumers.map((one) => [
          name,
          stream ?? "none",
          one.name,
          one.purpose ?? notStated,
          numberText(one.batch),
          durationText(one.windowMs),
          one.start === "latest" ? "the newest record" : "the oldest record there is",
          one.filter === undefined ? "everything" : code(JSON.stringify(one.filter)),
          failureText(one),
        ]),
      ),
      { numbers: [4], otherwise: "Nobody reads a stream." },
    ),
    heading(3, "Other services"),
    table(
      ["Service", "For", "By way of", "Because"],
      [
        ...(model.design?.services ?? []).map(({ name, for: patterns, via, why }) => [
          name,
          patternList(patterns) || notStated,
          via ?? notStated,
          why ?? notStated,
        ]),
        ...elsewhere(material),
      ],
      { otherwise: "No other service takes part." },
    ),
    heading(3, "Numbers that are kept"),
    table(
      ["Number", "Is", "Of", "Kept by", "Table"],
      tables.flatMap(({ name, aggregates }) => aggregates.map((one) => aggregateRow(name, one))),
      { otherwise: "No sums or counts are kept." },
    ),
    heading(3, "Caches"),
    table(
      ["Table", "Nodes", "Hits", "Items live", "Answers live", "Patterns"],
      tables.flatMap(({ name, dax }) =>
        dax === undefined
          ? []
          : [
              [
                name,
                `${dax.nodes} × ${dax.node}`,
                dax.hitRate === undefined
                  ? notStated
                  : `${percentOf(dax.hitRate.value)}${dax.hitRate.assumed ? " (assumed)" : ""}`,
                durationText(dax.itemTtlMs),
                durationText(dax.queryTtlMs),
                patternList(dax.patterns) || "all that may be behind",
              ],
            ],
      ),
      { otherwise: "There is no cache." },
    ),
  ];
}

function failureText(consumer: Table["consumers"][number]): string {
  const { retries, maxAgeMs, bisect, reportItemFailures, parallel } = consumer;
  const until = [
    ...(retries === undefined ? [] : [`${counted(retries, "time")} at most`]),
    ...(maxAgeMs === undefined ? [] : [`until records are ${durationText(maxAgeMs)} old`]),
  ];
  return [
    `it is tried again ${until.length === 0 ? "until its records leave the stream" : listText(until)}`,
    ...(bisect ? ["in halves"] : []),
    ...(reportItemFailures ? ["from the record that failed"] : []),
    ...(parallel > 1 ? [`${parallel} batches of a shard at once`] : []),
  ].join(", ");
}

function aggregateRow(table: string, { of, into, what, attribute, by }: Aggregate) {
  return [
    `${into.entity}.${into.attribute}`,
    attribute === undefined ? what : `${what} of ${attribute}`,
    of,
    by === "transaction"
      ? "the transaction that writes"
      : by === "stream"
        ? "a reader of the stream"
        : `the schedule ${by.schedule}`,
    table,
  ];
}

/** Attributes whose values lie in another store. */
function elsewhere({ tables }: Material): readonly (readonly string[])[] {
  return tables.flatMap(({ placements }) =>
    [...placements.values()].flatMap((placement) =>
      placement.elsewhere.map(({ attribute, service, pointer }) => [
        service,
        `the value of ${placement.entity}.${attribute}`,
        pointer === undefined ? notStated : `its address is in ${pointer}`,
        notStated,
      ]),
    ),
  );
}

/** What keeps data safe, takes it away, and spreads it. */
export function operationsSection({ model, tables, infrastructure }: Material): readonly Block[] {
  return [
    heading(2, "Backup, expiry, versions and Regions"),
    heading(3, "Backup and recovery"),
    table(
      ["Table", "Point-in-time recovery", "Backups", "Deletion protection"],
      tables.map(({ name, pitrDays, backups, deletionProtection }) => [
        name,
        pitrDays === undefined ? "off" : `every second of the last ${numberText(pitrDays)} days`,
        backups === undefined
          ? "none planned"
          : `every ${durationText(backups.everyMs)}, kept for ${durationText(backups.keepMs)}`,
        deletionProtection ? "on" : "off",
      ]),
      { otherwise: "There are no tables." },
    ),
    heading(3, "Data that expires"),
    ...expiryLines(model, tables),
    heading(3, "Versions and concurrent writers"),
    ...versionLines(model, tables),
    heading(3, "Regions"),
    paragraph(regionText(model.overview.region, tables)),
    ...(infrastructure === undefined || infrastructure.missing.length === 0
      ? []
      : [
          paragraph("Not in the infrastructure that keywright generate writes:"),
          ...list(infrastructure.missing),
        ]),
  ];
}

function expiryLines(model: Material["model"], tables: Material["tables"]): readonly Block[] {
  const lines = [
    ...tables.flatMap(({ name, ttl }) =>
      ttl === undefined
        ? []
        : [
            `${name}: items of ${listText(ttl.entities)} go after the time in ${ttl.attribute}, free of charge, within days after it. Until then a reader still finds them, and has to look at the time.`,
          ],
    ),
    ...tables.flatMap(({ name, periods }) =>
      periods === undefined
        ? []
        : [
            `${name}: a table for each ${periods.every}${periods.keep === undefined ? "" : `; ${periods.keep} are kept, and one that is over is dropped whole`}.`,
          ],
    ),
    ...[...model.entities.values()].flatMap(({ name, retentionMs }) =>
      retentionMs === undefined ? [] : [`${name} is to be kept for ${durationText(retentionMs)}.`],
    ),
  ];
  return lines.length === 0 ? [paragraph("Everything is kept.")] : list(lines);
}

function versionLines(model: Material["model"], tables: Material["tables"]): readonly Block[] {
  const lines = [
    ...tables.flatMap(({ name, versioning }) =>
      versioning === undefined
        ? []
        : [
            `${name} keeps every version of ${versioning.entity}, told apart by ${versioning.attribute}; the newest is ${versioning.latest === "copy" ? "also kept as a copy under a key of its own" : "the last one of a query"}.`,
          ],
    ),
    ...[...model.entities.values()].flatMap(({ name, version }) =>
      version === undefined
        ? []
        : [
            `${name}.${version} is raised with every change; who changes states the number that was read.`,
          ],
    ),
    ...[...model.patterns.values()].flatMap(({ id, name, writers }) =>
      writers === undefined ? [] : [`#${id} ${name}: ${stated(writers)} writers meet on one item.`],
    ),
  ];
  return lines.length === 0
    ? [paragraph("No versions are kept, and no pattern says that writers meet.")]
    : list(lines);
}

function regionText(region: string | undefined, tables: Material["tables"]): string {
  const spread = tables.filter(({ replicas }) => replicas.length > 0);
  const home = region === undefined ? "No Region is stated" : `The home is ${region}`;
  if (spread.length === 0) return `${home}; no table has replicas.`;
  const texts = spread.map(({ name, replicas }) => `${name} in ${listText(replicas)}`);
  return `${home}; replicas: ${texts.join("; ")}. Each replica takes writes, the last one of two that meet wins, and each pays for the writes of all.`;
}

import { formats } from "../../../model/formats.ts";
import type { Pattern } from "../../../model/requirements.ts";
import { type CheckContext, patternName } from "../check-context.ts";
import { peakOf } from "../rates.ts";
import { isWholeRead } from "../reading.ts";
import type { Exception, Instead } from "./criterion.ts";

/** How a pattern that reads goes about it. */
export interface ReadShape {
  readonly pattern: Pattern;
  /** By a key; else what it would rather be asked of. */
  readonly instead: Instead | undefined;
  /** Requests one after the other; before there is a design, the entities in one answer. */
  readonly width: number;
  /** Entities that one answer brings together, whatever the design is. */
  readonly entities: number;
  readonly peak: number;
}

/** The shapes of all reads that somebody wants, those of other services too. */
export function readShapes(context: CheckContext): readonly ReadShape[] {
  return context.wanted
    .filter(({ kind }) => kind === "read")
    .map((pattern) => ({
      pattern,
      instead: insteadOf(context, pattern),
      width: widthOf(context, pattern),
      entities: entitiesIn(pattern),
      peak: peakOf(pattern.rps),
    }));
}

function insteadOf(context: CheckContext, pattern: Pattern): Instead | undefined {
  const { status } = pattern;
  if (status === "alternative") return kindOf(context, pattern);
  const reads = context.reads(pattern);
  if (context.design !== undefined && context.plan(pattern).problem === undefined) {
    const isScan = reads.some((one) => one.operation === "Scan" && !isWholeRead(one));
    // A Scan of what a key could answer is a choice of the design, and says nothing about DynamoDB.
    if (!isScan) return undefined;
  }
  return canBeKeyed(pattern) ? undefined : kindOf(context, pattern);
}

/** Something is asked for by its value, so a key can be made of it. */
function canBeKeyed({ actions }: Pattern): boolean {
  return actions.every(({ where, limit, order }) => {
    if (where.some(({ operator }) => operator === "contains")) return false;
    if (where.some(({ operator }) => operator === "equals" || operator === "one-of")) return true;
    return where.length <= 1 && order.length > 0 && typeof limit === "number";
  });
}

/** What a question without a key looks like. */
function kindOf({ model }: CheckContext, { actions, alternative, together }: Pattern): Instead {
  const named = alternative && servicesKnown.find(([words]) => words.test(alternative.service));
  if (named !== undefined) return named[1];
  const predicates = actions.flatMap(({ where, entity }) =>
    where.map((one) => ({ ...one, is: model.entities.get(entity)?.attributes.get(one.attribute) })),
  );
  if (predicates.some(({ operator }) => operator === "contains")) return "search engine";
  if (together.length >= 2) return "relational database";
  const isTime = predicates.some(
    ({ is }) => is?.format !== undefined && formats[is.format].order === "time",
  );
  return isTime && predicates.length === 1 ? "time-series database" : "analytics";
}

/** What services are for, by their names. */
const servicesKnown: readonly (readonly [RegExp, Instead])[] = [
  [/search|lucene|solr|algolia|typesense|meili/i, "search engine"],
  [/athena|redshift|warehouse|spark|glue|bigquery|snowflake|s3 export|quicksight/i, "analytics"],
  [/timestream|influx|prometheus|timescale/i, "time-series database"],
  [/neptune|neo4j|graph/i, "graph database"],
  [/aurora|postgres|mysql|rds|sql server|oracle/i, "relational database"],
  [/valkey|redis|memcached|elasticache|memorydb|dax/i, "cache in memory"],
  [/^s3$|object stor/i, "object storage"],
];

function widthOf(context: CheckContext, pattern: Pattern): number {
  const reads = context.reads(pattern);
  if (reads.length > 0) {
    const repeated = reads.filter(
      ({ operation, times }) => operation === "Query" && times.some(({ why }) => why === "results"),
    );
    return reads.length + repeated.length;
  }
  return entitiesIn(pattern);
}

function entitiesIn({ actions, together }: Pattern): number {
  return actions.length + together.length;
}

export function exceptionOf({ pattern, instead }: ReadShape): readonly Exception[] {
  if (instead === undefined) return [];
  const service = pattern.alternative?.service;
  return [
    {
      path: pattern.path,
      text: `${patternName(pattern)} has no key to ask by${service === undefined ? "" : `; ${service} serves it`}.`,
      instead,
      service,
    },
  ];
}

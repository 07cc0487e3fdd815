import type { Check } from "../check.ts";
import { alternativesNamed } from "./alternatives-named.ts";
import { attributesKnown } from "./attributes-known.ts";
import { batchesUsed } from "./batches-used.ts";
import { conditionsCanHold } from "./conditions-can-hold.ts";
import { conditionsWhereWritersRace } from "./conditions-where-writers-race.ts";
import { considerationsCaptured } from "./considerations-captured.ts";
import { copiesKept } from "./copies-kept.ts";
import { costsAtAverage } from "./costs-at-average.ts";
import { crossReferences } from "./cross-references.ts";
import { decisionsPut } from "./decisions-put.ts";
import { domainAndScale } from "./domain-and-scale.ts";
import { entitiesAndRelations } from "./entities-and-relations.ts";
import { filtersKeepMost } from "./filters-keep-most.ts";
import { fitsDynamodb } from "./fits-dynamodb.ts";
import { hotPartitions } from "./hot-partitions.ts";
import { indexesJustified } from "./indexes-justified.ts";
import { indexesUsed } from "./indexes-used.ts";
import { integrationsDetailed } from "./integrations-detailed.ts";
import { keysSupportPatterns } from "./keys-support-patterns.ts";
import { noScans } from "./no-scans.ts";
import { pagingOnLists } from "./paging-on-lists.ts";
import { patternsIdentified } from "./patterns-identified.ts";
import { patternsSolved } from "./patterns-solved.ts";
import { rates } from "./rates.ts";
import { readWritePairs } from "./read-write-pairs.ts";
import { relationsBothWays } from "./relations-both-ways.ts";
import { sizesBelowLimits } from "./sizes-below-limits.ts";
import { sparseIndexesUnderstood } from "./sparse-indexes-understood.ts";
import { tablesDocumented } from "./tables-documented.ts";
import { tradeoffsStated } from "./tradeoffs-stated.ts";
import { ttlForExpiringData } from "./ttl-for-expiring-data.ts";

/** All checks, in the order in which a design comes to be. */
export const allChecks: readonly Check[] = [
  domainAndScale,
  entitiesAndRelations,
  attributesKnown,
  patternsIdentified,
  rates,
  conditionsCanHold,
  readWritePairs,
  relationsBothWays,
  considerationsCaptured,
  patternsSolved,
  alternativesNamed,
  integrationsDetailed,
  keysSupportPatterns,
  noScans,
  filtersKeepMost,
  pagingOnLists,
  batchesUsed,
  indexesUsed,
  indexesJustified,
  sparseIndexesUnderstood,
  tablesDocumented,
  sizesBelowLimits,
  conditionsWhereWritersRace,
  copiesKept,
  ttlForExpiringData,
  hotPartitions,
  costsAtAverage,
  decisionsPut,
  tradeoffsStated,
  crossReferences,
  fitsDynamodb,
];

/** The service's limits; the unit is in the name. A limit is inclusive: the value itself is allowed. */

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;
const gigabyte = 1_024 * megabyte;

// Items and keys
export const itemSizeBytesMax = 400 * kilobyte;
export const partitionKeyBytesMax = 2_048;
/** Of all sort key attributes together. */
export const sortKeyBytesMax = 1_024;
/** An attribute's own value is level 1. */
export const nestingLevelsMax = 32;
export const attributeNameBytesMax = 65_535;
/** Key, index key, projected and TTL attributes. */
export const keyAttributeNameBytesMax = 255;
/** Of tables with a local secondary index only. */
export const itemCollectionBytesMax = 10 * gigabyte;

// Expressions
/** Of the text as sent, before placeholders are replaced. */
export const expressionBytesMax = 4_096;
export const expressionOperatorsMax = 300;
/** The operand to the left of IN counts. */
export const inOperandsMax = 100;
export const listIndexMax = 2_147_483_647;
export const placeholderBytesMax = 255;
/** Of all names and values of a request together. */
export const placeholdersBytesMax = 2 * megabyte;

// Reads
export const pageBytesMax = 1 * megabyte;
export const scanSegmentsMax = 1_000_000;
export const batchGetKeysMax = 100;
export const batchGetResponseBytesMax = 16 * megabyte;

// Writes
export const batchWriteRequestsMax = 25;
export const batchWriteBytesMax = 16 * megabyte;
export const transactionActionsMax = 100;
export const transactionBytesMax = 4 * megabyte;
export const requestTokenCharactersMax = 36;
export const requestTokenMinutes = 10;
export const requestBodyBytesMax = 16 * megabyte;

// PartiQL
export const statementBatchMax = 25;
export const statementTransactionMax = 100;
export const statementCharactersMax = 8_192;
/** Nested expressions. The depth at which the service's parser stops is not recorded. */
export const statementNestingMax = 200;
/** How often a condition that is compared with another value may be copied: a limit of ours. */
export const statementConditionCopiesMax = 8;
/** Comparisons and operators of a condition when all copies are made: a limit of ours. */
export const statementConditionNodesMax = 65_536;
/** Reads that one SELECT comes to: values of IN, alternatives of OR, and all their combinations. */
export const statementKeyInOperandsMax = 50;
/** Documented as items; taken as the reads that a page is made of. */
export const statementReadsPerPageMax = 10;

// Tables
export const tableNameCharactersMin = 3;
export const tableNameCharactersMax = 255;
export const tableKeyAttributesMax = 2;
/** In a global secondary index, of HASH and of RANGE attributes each. */
export const indexKeyAttributesPerTypeMax = 4;
export const localIndexesMax = 5;
export const globalIndexesMax = 20;
/** Explicitly projected attributes of all indexes of a table; one that is named twice counts twice. */
export const projectedAttributesMax = 100;
export const listTablesPageMax = 100;
export const tagsMax = 50;
export const tagKeyCharactersMax = 128;
export const tagValueCharactersMax = 256;
export const resourcePolicyBytesMax = 20 * kilobyte;
/** How long after a change of a policy the next one is refused: measured, not published. */
export const resourcePolicyChangeMs = 15_000;

// Time to live
export const timeToLiveAttributeCharactersMax = 255;
/** What expired longer ago is never deleted. */
export const expiredYearsMax = 5;
/** The service documents an hour; somebody has found that it takes changes again after 31 minutes. */
export const timeToLiveChangeMinutes = 60;

// Throughput, per second; quotas that an account can have raised
export const tableCapacityUnitsMax = 40_000;
/** Of all provisioned tables and global indexes of an account in a Region. */
export const accountCapacityUnitsMax = 80_000;
export const decreasesAtOnceMax = 4;
/** After those at once, for the rest of the UTC day. */
export const decreaseEveryMinutes = 60;
/** From provisioned to on-demand; back at any time. */
export const modeSwitchesMax = 4;
export const modeSwitchesHours = 24;

/** Of auto scaling. */
export const targetPercentMin = 10;
export const targetPercentMax = 90;

// Backups
export const backupNameCharactersMin = 3;
export const backupNameCharactersMax = 255;
export const backupArnCharactersMin = 37;
export const backupArnCharactersMax = 1_024;
export const listBackupsPageMax = 100;
export const recoveryDaysMin = 1;
/** Also what is taken if nothing is asked for. */
export const recoveryDaysMax = 35;
/** So old is the latest moment to which a table can be restored. */
export const recoveryLagSeconds = 300;
/** Of an account in a Region. */
export const restoresAtOnceMax = 50;

// Streams
export const streamRetentionHours = 24;
export const shardIteratorMinutes = 15;
export const streamRecordsMax = 1_000;
export const streamRecordsBytesMax = 1 * megabyte;
export const streamShardsPageMax = 100;
export const streamsPageMax = 100;
/** After so long a shard is closed and goes on in a new one: what is observed, not published. */
export const shardRollHours = 4;

/** Exports and imports: for so long they are told of, and their tokens stand for them. */
export const transferDays = 90;
export const transferTokenHours = 8;
export const transferPageDefault = 10;
export const transferPageMax = 25;
export const incrementalExportMinutesMin = 15;
export const incrementalExportHoursMax = 24;

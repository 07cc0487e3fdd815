// How votes lie in the table: each candidate has ten counters, so that ten partitions share its votes.
export const candidates = ["ada", "grace", "edsger"];
export const shards = 10;

/** @param {string} candidate @param {number} shard */
export const shardKey = (candidate, shard) => `CANDIDATE#${candidate}#${shard}`;

/** @param {string} candidate */
export const totalKey = (candidate) => `TOTAL#${candidate}`;

/** The limits of Lambda's event source mappings and functions; inclusive, the unit is in the name. */

export const batchSizeDefault = 100;
export const batchSizeMax = 10_000;
export const windowSecondsMax = 300;
/** Of one event, as JSON. */
export const payloadBytesMax = 6 * 1_024 * 1_024;
export const parallelMax = 10;
export const retriesMax = 10_000;
export const recordAgeSecondsMin = 60;
export const recordAgeSecondsMax = 604_800;
/** What a stream keeps; a record that fails for so long is given up in any case. */
export const retentionSeconds = 86_400;

/** Five unless the quota is raised, which can be done to ten. */
export const filtersMax = 10;
export const filterCharactersMax = 4_096;

export const timeoutSecondsDefault = 3;
export const timeoutSecondsMax = 900;
export const memoryMegabytesDefault = 128;
export const memoryMegabytesMin = 128;
export const memoryMegabytesMax = 10_240;
/** How long a module may take to load. */
export const loadSecondsMax = 10;

/** Not Lambda's: so many calls of one function run at a time, each in a thread of its own. */
export const concurrencyDefault = 10;
export const concurrencyMax = 1_000;

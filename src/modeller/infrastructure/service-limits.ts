/** What AWS takes as names and values, as far as it limits what is generated. */

/**
 * Names are made of a project, an environment, a prefix, the name of a table and what it is about. An alarm's has 255
 * characters at most and a vault's 50, so the parts that are said when it is deployed have limits of their own.
 */
export const projectMax = 28;
export const environmentMax = 20;
export const prefixMax = 64;
/** The longest that is put behind a table's name for a period: `-2026-11-16`. */
export const periodMax = 11;
export const tableNameMax = 255;
export const alarmNameMax = 255;
/** What is left of an alarm's name, with a hyphen between the parts. */
export const alarmSubjectMax =
  alarmNameMax - projectMax - environmentMax - prefixMax - periodMax - 2;

/** Characters of a managed policy; white space does not count. */
export const policyCharactersMax = 6_144;

export const tagsMax = 50;
export const tagKeyMax = 128;
export const tagValueMax = 256;

/** What every on-demand table can take from the start; Terraform's provider takes no less of any table. */
export const warmReadsMin = 12_000;
export const warmWritesMin = 4_000;

/** Characters of a filter of a consumer. */
export const filterMax = 4_096;

/** A template may hold no more. */
export const templateResourcesMax = 500;
export const templateOutputsMax = 200;

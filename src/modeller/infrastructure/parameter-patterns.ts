import type { Table } from "../../model/design.ts";
import { environmentMax, projectMax } from "./service-limits.ts";

/** What those values may look like that are given when something is deployed. */
export interface Pattern {
  /** As all languages here read it. */
  readonly regex: string;
  /** In words, beginning with a capital letter and without a full stop. */
  readonly says: string;
}

const word = (max: number): Pattern => ({
  regex: `^[A-Za-z0-9][A-Za-z0-9_-]{0,${max - 1}}$`,
  says: `It has 1 to ${max} letters, digits, hyphens and underscores, and begins with a letter or digit`,
});

export const project = word(projectMax);
export const environment = word(environmentMax);

export function prefix(max: number): Pattern {
  return {
    regex: `^[A-Za-z0-9_.-]{0,${max}}$`,
    says: `It has at most ${max} letters, digits, hyphens, underscores and dots`,
  };
}

export const functionArn: Pattern = {
  regex: "^arn:[a-z-]+:lambda:[a-z0-9-]+:[0-9]{12}:function:[A-Za-z0-9_-]+(:[A-Za-z0-9_$-]+)?$",
  says: "It is the ARN of a function",
};

export const keyArn: Pattern = {
  regex: "^arn:[a-z-]+:kms:[a-z0-9-]+:[0-9]{12}:key/.+$",
  says: "It is the ARN of a key",
};

type Every = NonNullable<Table["periods"]>["every"];

export const periodExample = {
  day: "2026-11-16",
  week: "2026-W47",
  month: "2026-11",
  quarter: "2026-Q4",
  year: "2026",
} as const satisfies Record<Every, string>;

const periodRegex = {
  day: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  week: "^[0-9]{4}-W[0-9]{2}$",
  month: "^[0-9]{4}-[0-9]{2}$",
  quarter: "^[0-9]{4}-Q[1-4]$",
  year: "^[0-9]{4}$",
} as const satisfies Record<Every, string>;

export function period(every: Every): Pattern {
  return { regex: periodRegex[every], says: `It is a ${every}, such as ${periodExample[every]}` };
}

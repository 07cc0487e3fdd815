import { rules } from "../lint/rules/index.ts";

export const ruleIds: ReadonlySet<string> = new Set(rules.map(({ id }) => id));

import type { RuleHead } from "./rule.ts";

/** The rules as a table, for the documentation. */
export function rulesMarkdown(heads: readonly RuleHead[]): string {
  const rows = heads.map(
    ({ id, severity, title, topic }) => `| \`${id}\` | ${severity} | ${title} | \`${topic}\` |`,
  );
  return [
    "| rule | severity | what is wrong | learn |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

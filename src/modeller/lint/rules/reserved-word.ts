import { isReservedWord } from "../../../expressions/reserved-words.ts";
import type { Table } from "../../../model/design.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const reservedWord: Rule = {
  id: "reserved-word",
  severity: "hint",
  title: "A name that the design has chosen is a reserved word, which expressions must not name.",
  topic: "update-expressions",
  *check({ tables }) {
    for (const table of tables) {
      const words = [...new Set(chosen(table))].filter(isReservedWord);
      if (words.length === 0) continue;
      yield {
        path: table.path,
        message: `${table.name} uses ${listText(words)}, which ${words.length === 1 ? "is a reserved word" : "are reserved words"}.`,
        evidence: `An expression that names ${words[0]} is refused; every one needs a placeholder such as #${words[0]}.`,
        cure: "Choose another name while nothing is stored yet, or always use placeholders.",
      };
    }
  },
};

/** Names that are the design's own; those of attributes were there before. */
function chosen({ partition, sort, discriminator, placements, indexes }: Table): readonly string[] {
  return [
    partition.name,
    ...(sort === undefined ? [] : [sort.name]),
    ...(discriminator === undefined ? [] : [discriminator]),
    ...[...placements.values()].flatMap(({ names, embeds }) => [
      ...names.values(),
      ...embeds.map(({ as }) => as),
    ]),
    ...[...indexes.values()].flatMap(({ members }) =>
      [...members.values()].flatMap(({ sets }) => sets.map(({ attribute }) => attribute)),
    ),
  ];
}

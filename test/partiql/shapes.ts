import { compileRead, compileWrite } from "../../src/partiql/compile.ts";
import { checkParameters } from "../../src/partiql/literal.ts";
import { openStatement, refuseMultiAttributeIndex } from "../../src/partiql/open-statement.ts";
import type { CompiledStatement } from "../../src/partiql/operation.ts";
import type { TableShape } from "../../src/partiql/table-shape.ts";
import { translateStatement } from "../../src/partiql/translate.ts";

/** The table that the cases are about. */
export const music: TableShape = {
  key: { hash: [{ name: "artist", type: "S" }], range: [{ name: "song", type: "S" }] },
  indexes: [
    {
      name: "byYear",
      kind: "global",
      key: { hash: [{ name: "released", type: "N" }], range: [{ name: "song", type: "S" }] },
      projection: { type: "INCLUDE", attributes: ["genre"] },
    },
    {
      name: "byPlays",
      kind: "local",
      key: { hash: [{ name: "artist", type: "S" }], range: [{ name: "plays", type: "N" }] },
      projection: { type: "KEYS_ONLY", attributes: [] },
    },
    {
      name: "byTwo",
      kind: "global",
      key: {
        hash: [
          { name: "genre", type: "S" },
          { name: "label", type: "S" },
        ],
        range: [],
      },
      projection: { type: "ALL", attributes: [] },
    },
  ],
};

/** All steps from a text to an operation, as ExecuteStatement takes them. */
export function compiled(text: string, parameters: readonly object[] = []): CompiledStatement {
  const values = checkParameters(structuredClone(parameters));
  const statement = openStatement(text);
  refuseMultiAttributeIndex(statement, music);
  const translated = translateStatement(statement, values);
  return translated.kind === "select"
    ? compileRead(translated, music, false)
    : compileWrite(translated, music);
}

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { asRequests } from "../../src/partiql/print.ts";
import { compiled } from "./shapes.ts";

/**
 * Statements and what they are compiled to: a statement, its parameters if it has any, then the requests
 * or the complaint; an empty line between cases. KEYWRIGHT_GOLDEN=update writes the files anew.
 */
const folder = join(import.meta.dirname, "golden");
const updating = process.env.KEYWRIGHT_GOLDEN === "update";
const marker = "=> ";

interface Case {
  readonly statement: string;
  readonly parameters: string | undefined;
  readonly expected: string;
}

function casesIn(text: string): readonly Case[] {
  return text
    .trim()
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      const statement = lines[0] as string;
      const parameters = lines.find((line) => line.startsWith("?? "))?.slice(3);
      const results = lines.filter((line) => line.startsWith(marker));
      return { statement, parameters, expected: results.join("\n") };
    });
}

function outcome({ statement, parameters }: Case): string {
  try {
    const made = compiled(statement, parameters === undefined ? [] : JSON.parse(parameters));
    const lines = asRequests(made).map(
      ({ operation, input }) => `${operation} ${JSON.stringify(input)}`,
    );
    return lines.map((line) => marker + line).join("\n");
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${marker}${error.type}: ${error.message}`;
  }
}

describe.each(readdirSync(folder))("%s", (name) => {
  const file = join(folder, name);
  const cases = casesIn(readFileSync(file, "utf8"));
  if (updating) {
    const blocks = cases.map((one) =>
      [
        one.statement,
        ...(one.parameters === undefined ? [] : [`?? ${one.parameters}`]),
        outcome(one),
      ].join("\n"),
    );
    writeFileSync(file, `${blocks.join("\n\n")}\n`);
  }
  test.each(cases)("$statement", (one) => {
    expect(outcome(one)).toBe(updating ? outcome(one) : one.expected);
  });
});

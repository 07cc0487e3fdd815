import { hash } from "node:crypto";
import { nextTokenInvalid, nextTokenOfOther } from "../api/errors/statement.ts";
import { own } from "../base/record.ts";
import type { Item } from "../item/attribute-value.ts";
import { normaliseNumber } from "../item/number.ts";

/** Where a SELECT goes on: in which of its reads, and behind which key. */
export interface StatementPosition {
  readonly read: number;
  readonly key?: Item | undefined;
}

/** A NextToken belongs to the statement and the parameters that it was given for. */
export class StatementTokens {
  readonly #binding: string;

  constructor(statement: string, parameters: readonly unknown[]) {
    this.#binding = hash("sha256", JSON.stringify([statement, parameters]), "base64");
  }

  encode(position: StatementPosition): string {
    const row = { b: this.#binding, r: position.read, k: position.key };
    return Buffer.from(JSON.stringify(row)).toString("base64");
  }

  decode(token: string): StatementPosition {
    const row = parsed(token);
    if (row === undefined) throw nextTokenInvalid();
    const { b: binding, r: read, k: key } = row;
    if (typeof binding !== "string" || !Number.isInteger(read)) throw nextTokenInvalid();
    if (binding !== this.#binding) throw nextTokenOfOther();
    if (key !== undefined && !isKey(key)) throw nextTokenInvalid();
    return { read: read as number, key };
  }
}

function parsed(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const row: unknown = JSON.parse(Buffer.from(token, "base64").toString());
    return typeof row === "object" && row !== null ? (row as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens come back from clients: nothing but key values in their normal form is let in. */
function isKey(key: unknown): key is Item {
  if (typeof key !== "object" || key === null) return false;
  return Object.values(key).every((value: unknown) => {
    if (typeof value !== "object" || value === null) return false;
    const members = Object.entries(value as Record<string, unknown>);
    const [name, text] = members[0] ?? [];
    if (members.length !== 1 || typeof text !== "string") return false;
    if (name === "N") return normaliseNumber(text) === text;
    if (name === "B") return Buffer.from(text, "base64").toString("base64") === text;
    return name === "S" && own(value as Record<string, unknown>, "S") !== "";
  });
}

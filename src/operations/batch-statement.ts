import { ServiceError } from "../api/errors/service-error.ts";
import { throttlingCode } from "../api/errors/throttling.ts";
import { keysRepeated } from "../api/errors/transaction.ts";
import { latin1Of } from "../base/bytes.ts";
import type { Parameters } from "../partiql/literal.ts";
import type { OpenStatement } from "../partiql/open-statement.ts";
import type { Bytes } from "../storage/store.ts";

/** One statement of a batch, and what is answered to it. */
export class BatchMember {
  readonly consistent: boolean;
  #statement: OpenStatement | undefined;
  #parameters: Parameters = [];
  #response: object = {};

  constructor(consistent: boolean) {
    this.consistent = consistent;
  }

  open(statement: OpenStatement, parameters: Parameters): void {
    this.#statement = statement;
    this.#parameters = parameters;
  }

  /** Undefined if it could not even be read. */
  get statement(): OpenStatement | undefined {
    return this.#statement;
  }

  get parameters(): Parameters {
    return this.#parameters;
  }

  get response(): object {
    return this.#response;
  }

  /** Runs a step of the statement; what it throws is the answer to this statement alone. */
  attempt<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.fail(error);
      return undefined;
    }
  }

  /** `table` if the statement was carried out as far as it went: only then the table is told. */
  fail(error: ServiceError, table?: string): void {
    this.#response = {
      Error: { Code: codeOf(error), Message: error.message },
      ...(table !== undefined && { TableName: table }),
    };
  }

  answer(table: string, item: object | undefined): void {
    this.#response = { TableName: table, ...(item !== undefined && { Item: item }) };
  }
}

/** The types of errors without their endings; throttling has names of its own. */
function codeOf(error: ServiceError): string {
  if (error.type === "ValidationException") return "ValidationError";
  return throttlingCode(error) ?? error.type.replace(/Exception$/, "");
}

/** No item may be named twice in a batch. */
export class DistinctItems {
  readonly #seen = new Set<string>();

  add(key: Bytes): void {
    const identity = latin1Of(key);
    if (this.#seen.has(identity)) throw keysRepeated();
    this.#seen.add(identity);
  }
}

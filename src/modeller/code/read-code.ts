import type { ReadRequest } from "../plans/plan.ts";
import { getCode } from "./get-code.ts";
import { listCode } from "./list-code.ts";
import type { ReadCode } from "./read-shared.ts";
import type { Scope } from "./scope.ts";

/** Carries out the read with this number. */
export function readCode(scope: Scope, request: ReadRequest, number: number): ReadCode {
  return request.operation === "Query" || request.operation === "Scan"
    ? listCode(scope, request, number)
    : getCode(scope, request, number);
}

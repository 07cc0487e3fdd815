import { counted, listText } from "../../lint/words.ts";
import type { Fit } from "./fit.ts";

/** The verdict in one sentence. */
export function fitSentence({
  verdict,
  deciding,
  exceptions,
  instead,
}: Pick<Fit, "verdict" | "deciding" | "instead"> & {
  readonly exceptions: readonly unknown[];
}): string {
  if (verdict === "unknown") {
    return "Whether DynamoDB fits cannot be told before there are patterns.";
  }
  const why = `what decides: ${listText(deciding)}`;
  if (verdict === "fits") return `DynamoDB fits; ${why}.`;
  if (verdict === "does-not-fit") {
    return `DynamoDB does not fit; better: ${listText(instead)}; ${why}.`;
  }
  return `DynamoDB fits, with ${counted(exceptions.length, "exception")}; ${why}.`;
}

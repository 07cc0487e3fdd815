import type { Look } from "../workbench/model-learn.ts";

const widthMax = 100;
const widthMin = 40;

/** Colours are for people who look at a terminal and did not say no. */
export function lookOf(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  { NO_COLOR: no = "", TERM: terminal }: NodeJS.ProcessEnv,
): Look {
  const width = Math.max(widthMin, Math.min(widthMax, columns ?? widthMax));
  const coloured = isTTY === true && no === "" && terminal !== "dumb";
  const paint = (code: number) => (text: string) =>
    coloured ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { width, heading: paint(1), code: paint(36) };
}

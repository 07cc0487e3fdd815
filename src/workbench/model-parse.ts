import { type Parsed, parseModel } from "../model/parse.ts";

let last: { readonly text: string; readonly file: string; readonly parsed: Parsed } | undefined;

/** Reads a model document; one that was read just now is not read again, for it is asked for by several. */
export function parsedModel(text: string, file: string): Parsed {
  if (last === undefined || last.text !== text || last.file !== file) {
    last = { text, file, parsed: parseModel(text, file) };
  }
  return last.parsed;
}

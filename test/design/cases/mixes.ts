import { readFileSync } from "node:fs";
import { editText } from "../../../src/document/edit.ts";
import { parsedModel } from "../../../src/workbench/model-parse.ts";

/**
 * How much of what comes is reads. A document has as many reads as writes in a second; each mix has as many requests
 * as the document. These factors are assumed, as the rates are.
 */
export const mixes = {
  "read-heavy": { read: 1.8, write: 0.2 },
  balanced: { read: 1, write: 1 },
  "write-heavy": { read: 0.2, write: 1.8 },
} as const;

export type Mix = keyof typeof mixes;

export const mixNames = Object.keys(mixes) as readonly Mix[];

/** What is asked for in a case, with the rates of a mix. */
export function requirements(name: string, mix: Mix): string {
  const text = fileText(`${name}.yaml`);
  const { model, complaints } = parsedModel(text, `${name}.yaml`);
  if (model === undefined) throw new Error(JSON.stringify(complaints));
  const factors = mixes[mix];
  const edits = [...model.patterns.values()].flatMap(({ id, kind, rps, status }) => {
    const factor = factors[kind];
    if (factor === 1 || status === "alternative" || status === "declined") return [];
    const times = (rate: number): { readonly assumed: number } => ({
      assumed: Number((rate * factor).toPrecision(6)),
    });
    const value = {
      average: times(rps.average?.value ?? Number.NaN),
      peak: times(rps.peak?.value ?? Number.NaN),
    };
    return [{ kind: "set" as const, path: ["patterns", id, "rps"], value }];
  });
  return editText(text, edits);
}

/** The same with the design of the source, entered by hand. */
export function withExpert(name: string, mix: Mix): string {
  return `${requirements(name, mix)}${fileText(`${name}.expert.yaml`)}`;
}

function fileText(file: string): string {
  return readFileSync(new URL(file, import.meta.url), "utf8");
}

import type { Complaint } from "../document/complaint.ts";
import { type Issue, pathText } from "../document/path.ts";
import { plainValue } from "../document/plain.ts";
import { checkSchema } from "../document/schema.ts";
import { Source } from "../document/source.ts";
import type { Model } from "./model.ts";
import type { ModelDocument } from "./model-document.ts";
import { readModel } from "./read-model.ts";
import { modelSchema } from "./schema.ts";

/** A model, or what is wrong with its document. */
export type Parsed =
  | { readonly model: Model; readonly complaints: readonly [] }
  | { readonly model: undefined; readonly complaints: readonly Complaint[] };

/** Reads a model from YAML or JSON. `file` is its name, for complaints. */
export function parseModel(text: string, file: string): Parsed {
  const { source, complaints } = Source.read(text, file);
  if (source === undefined) return { model: undefined, complaints };
  return modelOf(
    source.value,
    (issue) => source.complaint(issue),
    (path) => source.place({ path }),
  );
}

/** Reads a model from a value, such as one that `defineModel` has checked the types of. */
export function modelFrom(document: ModelDocument, file = "model"): Parsed {
  return modelOf(
    plainValue(document),
    ({ path, message }) => ({
      file,
      line: undefined,
      column: undefined,
      path: path.length === 0 ? "the model" : pathText(path),
      message,
    }),
    () => undefined,
  );
}

function modelOf(
  value: unknown,
  complaint: (issue: Issue) => Complaint,
  place: Model["place"],
): Parsed {
  const refuse = (issues: readonly Issue[]): Parsed => ({
    model: undefined,
    complaints: inOrder(issues.map(complaint)),
  });
  const misfits = checkSchema(value, modelSchema);
  if (misfits.length > 0) return refuse(misfits);
  const { model, issues } = readModel(value as ModelDocument);
  if (issues.length > 0) return refuse(issues);
  return { model: { ...model, place }, complaints: [] };
}

/** In the order of the file, each once. */
function inOrder(complaints: readonly Complaint[]): readonly Complaint[] {
  const seen = new Set<string>();
  return complaints
    .filter((one) => {
      const key = JSON.stringify(one);
      return !seen.has(key) && seen.add(key);
    })
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

import { complaintsText } from "../../src/document/complaint.ts";
import { editText } from "../../src/document/edit.ts";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { printModel } from "../../src/model/print.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";
import { parsedModel } from "../../src/workbench/model-parse.ts";

const file = "model.yaml";

/** The model of a document with the design that the designer makes for it, without a proof; undefined if it refuses. */
export async function designedModel(document: ModelDocument): Promise<Model | undefined> {
  const text = printModel(document);
  const { model } = parsedModel(text, file);
  if (model === undefined) return undefined;
  const { designed } = designOf(model, await integerSolver(), {});
  if (designed === undefined) return undefined;
  const written = editText(text, [{ kind: "set", path: ["design"], value: designed.design }]);
  const made = parsedModel(written, file);
  if (made.model === undefined) throw new Error(complaintsText(made.complaints));
  return made.model;
}

import { type Complaint, complaintsText } from "../document/complaint.ts";
import type { Model } from "../model/model.ts";
import { dataModelFile, documentFiles } from "../modeller/documents/documents.ts";
import {
  documentsNow,
  documentsSeed,
  type SimulatedTable,
} from "../modeller/documents/material.ts";
import { heatOf } from "../modeller/heat/heat.ts";
import type { OutputFile } from "../modeller/output/output-file.ts";
import type { ProofOptions } from "../modeller/proof/prove.ts";
import { runHeat } from "./heat-simulation.ts";
import { heatDefaults } from "./model-heat.ts";
import { parsedModel } from "./model-parse.ts";
import { proveModel } from "./model-prove.ts";

/** The documents of a model, or what is wrong with it. */
export interface ModelDocuments {
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints. */
  readonly files: readonly OutputFile[] | undefined;
  /** What is not written and why, in sentences. */
  readonly missing: readonly string[];
}

export interface DocumentOptions {
  /** Run every pattern on the engine, and tell what came of it. */
  readonly proof: boolean;
  readonly progress?: ProofOptions["progress"];
}

/** Writes nothing: the files are the caller's to keep. The same text makes the same files. */
export async function documentModel(
  text: string,
  file: string,
  { proof, progress }: DocumentOptions,
): Promise<ModelDocuments> {
  const { model, complaints } = parsedModel(text, file);
  if (model === undefined) return { complaints, files: undefined, missing: [] };
  const hasDesign = model.design !== undefined;
  const proofs =
    proof && hasDesign
      ? await proveModel(model, {
          now: documentsNow,
          file,
          seed: documentsSeed,
          ...(progress !== undefined && { progress }),
        })
      : undefined;
  const simulated = hasDesign ? simulatedPeak(model) : undefined;
  const missing = hasDesign
    ? []
    : [`${model.name} has no design, so there is no ${dataModelFile} to write.`];
  return { complaints, files: documentFiles(model, { proofs, simulated }), missing };
}

function simulatedPeak(model: Model): readonly SimulatedTable[] {
  return runHeat(heatOf(model), heatDefaults);
}

export function documentComplaints({ complaints }: Pick<ModelDocuments, "complaints">): string {
  return `${complaintsText(complaints)}\n`;
}

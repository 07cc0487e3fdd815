import { type Complaint, complaintsText } from "../document/complaint.ts";
import type { Model } from "../model/model.ts";
import { parseModel } from "../model/parse.ts";
import { typescriptFiles } from "../modeller/code/typescript.ts";
import { cdkFiles } from "../modeller/infrastructure/cdk.ts";
import { cloudFormationFiles } from "../modeller/infrastructure/cloudformation.ts";
import { type Infrastructure, infrastructureOf } from "../modeller/infrastructure/describe.ts";
import { terraformFiles } from "../modeller/infrastructure/terraform.ts";
import type { OutputFile } from "../modeller/output/output-file.ts";
import { runtimeTexts } from "./runtime-texts.ts";

/** What can be made of a model. */
export const generated = ["terraform", "cloudformation", "cdk", "typescript"] as const;
export type Generated = (typeof generated)[number];

/** The files that a model makes, or why there are none. */
export interface ModelFiles {
  readonly complaints: readonly Complaint[];
  /** Nothing if there are complaints, or no design. */
  readonly files: readonly OutputFile[] | undefined;
  /** What the model asks for and is not in the files, in sentences. */
  readonly missing: readonly string[];
  /** If there are neither files nor complaints. */
  readonly why: string | undefined;
}

export function generateFiles(text: string, file: string, what: Generated): ModelFiles {
  const { model, complaints } = parseModel(text, file);
  const none = { complaints, files: undefined, missing: [] };
  if (model === undefined) return { ...none, why: undefined };
  const made = filesOf(model, what);
  if (made === undefined) {
    return { ...none, why: `${model.name} has no design, so there is nothing to make.` };
  }
  return { complaints, ...made, why: undefined };
}

const printers = {
  terraform: terraformFiles,
  cloudformation: cloudFormationFiles,
  cdk: cdkFiles,
} as const satisfies Record<
  Exclude<Generated, "typescript">,
  (what: Infrastructure) => readonly OutputFile[]
>;

function filesOf(model: Model, what: Generated): Pick<ModelFiles, "files" | "missing"> | undefined {
  if (what === "typescript") return typescriptFiles(model, runtimeTexts());
  const infrastructure = infrastructureOf(model);
  if (infrastructure === undefined) return undefined;
  return { files: printers[what](infrastructure), missing: infrastructure.missing };
}

/** For people: why nothing was made. */
export function nothingText({ complaints, why }: Omit<ModelFiles, "files">): string {
  return `${why ?? complaintsText(complaints)}\n`;
}

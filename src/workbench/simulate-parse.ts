import { type Complaint, complaintsText } from "../document/complaint.ts";
import { checkSchema, type Schema } from "../document/schema.ts";
import { Source } from "../document/source.ts";
import { type Document, readWorkload } from "./simulate-read.ts";
import schemaJson from "./simulate-workload.schema.json" with { type: "json" };
import type { Workload } from "./simulate-workload.ts";

/** Something in a workload file is wrong; each line says where and what. */
export class WorkloadError extends Error {
  override readonly name = "WorkloadError";
}

/** Reads a workload from YAML (or JSON, which is YAML). `name` is the file, for complaints. */
export function parseWorkload(text: string, name: string): Workload {
  const { source, complaints } = Source.read(text, name);
  refuse(complaints);
  refuse(checkSchema(source?.value, schemaJson as Schema).map((one) => source!.complaint(one)));
  const { workload, issues } = readWorkload(source?.value as Document);
  refuse(issues.map((one) => source!.complaint(one)));
  return workload;
}

function refuse(complaints: readonly Complaint[]): void {
  if (complaints.length > 0) throw new WorkloadError(complaintsText(complaints));
}

import { printYaml } from "../document/print.ts";
import type { ModelDocument } from "./model-document.ts";

/** A document as YAML. It reads back the same; comments are not part of a value. */
export function printModel(document: ModelDocument): string {
  return printYaml(document);
}

import { isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { own } from "../base/record.ts";
import { type Document, readWorkload } from "./simulate-read.ts";
import { checkSchema, type Issue, type Schema } from "./simulate-schema.ts";
import schemaJson from "./simulate-workload.schema.json" with { type: "json" };
import type { Workload } from "./simulate-workload.ts";

/** Something in a workload file is wrong; each line says where and what. */
export class WorkloadError extends Error {
  override readonly name = "WorkloadError";
}

const issuesMax = 10;

/** Reads a workload from YAML (or JSON, which is YAML). `name` is the file, for complaints. */
export function parseWorkload(text: string, name: string): Workload {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    fail(document.errors.map(({ pos, message }) => `${place(pos[0])}: ${message}`));
  }
  const value = plain(document.toJS());
  const complain = (issues: readonly Issue[]): void => {
    if (issues.length === 0) return;
    const contents = document.contents as Node | null;
    fail(
      issues.map(({ path, message, isName = false }) => {
        const at = place(offsetOf(contents, path, isName));
        return `${at}: ${path.length === 0 ? "the file" : pathText(path)} ${message}`;
      }),
    );
  };
  complain(checkSchema(value, schemaJson as Schema));
  const { workload, issues } = readWorkload(value as Document);
  complain(issues);
  return workload;
}

function fail(messages: readonly string[]): never {
  const more = messages.length - issuesMax;
  const lines = messages.slice(0, issuesMax);
  if (more > 0) lines.push(`… and ${more} more`);
  throw new WorkloadError(lines.join("\n"));
}

/** Names come from the file and may be `__proto__`: records without a prototype. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const record = Object.create(null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(value)) record[name] = plain(one);
  return record;
}

/** Where the value at a path begins, or its name. */
function offsetOf(
  contents: Node | null,
  path: readonly (string | number)[],
  isName: boolean,
): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    const next = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    if (next !== undefined) {
      const keyOffset = (next.key as Node).range?.[0] ?? offset;
      const valueOffset = (next.value as Node | null)?.range?.[0];
      const isLast = depth === path.length - 1;
      offset = isLast && !isName && typeof valueOffset === "number" ? valueOffset : keyOffset;
      node = next.value;
    } else {
      node = own((node as { items?: Record<string, unknown> }).items ?? {}, String(step));
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    }
  }
  return offset;
}

function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`,
    "",
  );
}

import { printable } from "../../base/printable.ts";
import { clipped } from "../../capacity/picture-style.ts";
import { flat } from "./markdown.ts";

/** Diagrams as Mermaid reads them. Names and texts stand in quotes, and what is not plain stands as its number. */

const labelMax = 80;

/** A text in quotes; line breaks are the caller's alone. */
export function label(...lines: readonly string[]): string {
  return `"${lines.map(encoded).join("<br/>")}"`;
}

function encoded(text: string): string {
  const short = clipped(printable(flat(text)).trim(), labelMax);
  return short.replaceAll(
    /[^\p{L}\p{N} .,:/()=+_$€·×–…'-]/gu,
    (sign) => `#${sign.codePointAt(0)};`,
  );
}

/** The name of an attribute, which cannot be quoted. */
export function word(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, labelMax);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}

export interface ErAttribute {
  readonly type: string;
  readonly name: string;
  readonly keys: readonly ("PK" | "FK" | "UK")[];
  readonly comment: string | undefined;
}

export interface ErEntity {
  readonly name: string;
  readonly attributes: readonly ErAttribute[];
}

export interface ErRelation {
  readonly from: string;
  readonly to: string;
  readonly kind: "one-to-one" | "one-to-many" | "many-to-many";
  readonly identifying: boolean;
  readonly text: string;
}

const ends = {
  "one-to-one": ["||", "o|"],
  "one-to-many": ["||", "o{"],
  "many-to-many": ["}o", "o{"],
} as const;

export function erDiagram(entities: readonly ErEntity[], relations: readonly ErRelation[]): string {
  const lines = ["erDiagram"];
  for (const { name, attributes } of entities) {
    lines.push(`  ${label(name)} {`);
    for (const { type, name: own, keys, comment } of attributes) {
      const said = comment === undefined ? "" : ` ${label(comment)}`;
      const marks = keys.length === 0 ? "" : ` ${keys.join(", ")}`;
      lines.push(`    ${word(type)} ${word(own)}${marks}${said}`);
    }
    lines.push("  }");
  }
  for (const { from, to, kind, identifying, text } of relations) {
    const [left, right] = ends[kind];
    const line = identifying ? "--" : "..";
    lines.push(`  ${label(from)} ${left}${line}${right} ${label(to)} : ${label(text)}`);
  }
  return `${lines.join("\n")}\n`;
}

export interface FlowNode {
  readonly id: string;
  readonly lines: readonly string[];
  readonly shape: "box" | "store" | "round";
}

export interface FlowGroup {
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly FlowNode[];
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly text: string | undefined;
}

const shapes = { box: ["[", "]"], store: ["[(", ")]"], round: ["([", "])"] } as const;

/** Boxes, boxes in frames, and arrows between them. */
export function flowchart(parts: readonly (FlowNode | FlowGroup)[], edges: readonly FlowEdge[]) {
  const lines = ["flowchart LR"];
  for (const part of parts) {
    if ("shape" in part) lines.push(`  ${nodeText(part)}`);
    else {
      lines.push(`  subgraph ${part.id}[${label(part.title)}]`);
      lines.push(...part.nodes.map((node) => `    ${nodeText(node)}`), "  end");
    }
  }
  for (const { from, to, text } of edges) {
    lines.push(`  ${from} -->${text === undefined ? "" : `|${label(text)}|`} ${to}`);
  }
  return `${lines.join("\n")}\n`;
}

function nodeText({ id, lines, shape }: FlowNode): string {
  const [open, close] = shapes[shape];
  return `${id}${open}${label(...lines)}${close}`;
}

import type { ExampleRequest } from "./page.ts";

const width = 92;

/** A request, one member per line; what does not fit is broken up. */
export function requestText({ operation, input }: ExampleRequest): string {
  return [operation, ...memberLines(input, "  ")].join("\n");
}

function memberLines(value: object, indent: string): readonly string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const short = `${indent}${name}: ${inline(member)}`;
    if (short.length <= width || typeof member !== "object" || member === null) return [short];
    return [`${indent}${name}:`, ...brokenUp(member, `${indent}  `)];
  });
}

function brokenUp(value: object, indent: string): readonly string[] {
  if (!Array.isArray(value)) return memberLines(value, indent);
  return value.flatMap((one: unknown) => {
    const short = `${indent}- ${inline(one)}`;
    if (short.length <= width || typeof one !== "object" || one === null) return [short];
    const [first = "", ...rest] = brokenUp(one, `${indent}  `);
    return [`${indent}- ${first.trimStart()}`, ...rest];
  });
}

function inline(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(quoted).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${quoted(one)}`,
  );
  return `{${members.join(", ")}}`;
}

/** Inside of something else, texts are quoted. */
function quoted(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : inline(value);
}

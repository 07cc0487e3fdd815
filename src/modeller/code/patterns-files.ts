import type { Facts } from "../facts.ts";
import { counted } from "../lint/words.ts";
import { type Plan, structureName } from "../plans/plan.ts";
import { estimateRun } from "../units/estimate.ts";
import { type Body, readBody } from "./answer-code.ts";
import { type Inputs, inputMembers, inputsOf } from "./inputs.ts";
import type { Names } from "./names.ts";
import { Scope } from "./scope.ts";
import { docComment, Imports, indented, memberName, sentence } from "./source.ts";
import { writeBody } from "./write-code.ts";

/** The function of a pattern, as the other files need to know it. */
export interface PatternFunction {
  readonly name: string;
  /** The file below `patterns/`. */
  readonly file: string;
  readonly input: string | undefined;
  readonly isPaged: boolean;
  readonly doc: string;
}

export interface PatternFile {
  readonly file: string;
  readonly text: string;
  readonly functions: readonly PatternFunction[];
}

/** The functions of all patterns that have a plan, in a file for each entity. */
export function patternFiles(
  facts: Facts,
  plans: ReadonlyMap<string, Plan>,
  names: Names,
): readonly PatternFile[] {
  const files = new Map<
    string,
    { readonly imports: Imports; readonly parts: string[]; readonly functions: PatternFunction[] }
  >();
  for (const plan of plans.values()) {
    const [action] = plan.pattern.actions;
    if (plan.problem !== undefined || action === undefined) continue;
    const file = names.file(action.entity);
    const { imports, parts, functions } = files.get(file) ?? {
      imports: new Imports(),
      parts: [],
      functions: [],
    };
    files.set(file, { imports, parts, functions });
    const made = patternFunction(facts, plan, names, imports);
    parts.push(made.text);
    functions.push({ ...made, file });
  }
  return [...files].map(([file, { imports, parts, functions }]) => ({
    file,
    text: imports.text() + parts.join("\n"),
    functions,
  }));
}

function patternFunction(
  facts: Facts,
  plan: Plan,
  names: Names,
  imports: Imports,
): Omit<PatternFunction, "file"> & { readonly text: string } {
  const { pattern } = plan;
  const inputs = inputsOf(facts, pattern, names);
  const scope = new Scope(facts, names, plan, inputs, imports);
  const body = pattern.kind === "read" ? readBody(scope) : writeBody(scope);
  const { camel, pascal } = names.pattern(pattern);
  const members = inputMembers(inputs);
  const input = members.length === 0 ? undefined : pascal;
  imports.type("Access", "../access.js");
  if (body.isPaged) imports.type("PageOptions", "../runtime/access.js");
  const parameters = [
    "access: Access",
    ...(input === undefined ? [] : [`input: ${input}`]),
    ...(body.isPaged ? ["page: PageOptions = {}"] : []),
  ];
  const head = `export async function ${camel}(${parameters.join(", ")}): Promise<${body.type}> {`;
  const text = `${input === undefined ? "" : `${inputType(scope, inputs, input)}\n`}${docText(facts, plan, body)}${head.length <= 100 ? head : longHead(camel, parameters, body)}
${body.statements.map((one) => `${indented(one)}\n`).join("")}}
`;
  return { name: camel, input, isPaged: body.isPaged, doc: pattern.name, text };
}

function longHead(name: string, parameters: readonly string[], { type }: Body): string {
  return `export async function ${name}(\n${parameters.map((one) => `  ${one},\n`).join("")}): Promise<${type}> {`;
}

function inputType(scope: Scope, inputs: Inputs, name: string): string {
  const created = new Set([...inputs.created.values()].map(({ type }) => type));
  const members = inputMembers(inputs).map(({ name: member, type }) => {
    for (const one of created) if (type.includes(one)) scope.useType(one);
    return `  readonly ${memberName(member)}: ${scope.useTypes(type)};\n`;
  });
  return `export interface ${name} {\n${members.join("")}}\n`;
}

/** What the pattern is, the requests that it takes and what they cost. */
function docText(facts: Facts, plan: Plan, { isPaged }: Body): string {
  const { pattern, requests } = plan;
  const { read, write, assumptions, unknown } = estimateRun(facts, requests);
  const steps = requests.map((request) => {
    if (request.kind === "read") {
      const where = structureName(request.table, request.index);
      const times = request.times.map(({ text }) => text).join(", ");
      return `${request.operation} on ${where}${times === "" ? "" : ` (${times})`}`;
    }
    const tables = [...new Set(request.actions.map(({ record }) => record.table.name))];
    return `${request.operation} on ${tables.join(", ")}`;
  });
  const units = [
    ...(read > 0 ? [counted(read, "read unit")] : []),
    ...(write > 0 ? [counted(write, "write unit")] : []),
  ];
  const rests =
    unknown.length > 0
      ? ", without what has no known size"
      : assumptions.length > 0
        ? ", partly from numbers that were assumed"
        : "";
  const cost = units.length === 0 ? "" : ` About ${units.join(" and ")}${rests}.`;
  return docComment(
    sentence(pattern.name),
    sentence(pattern.story ?? ""),
    `${steps.join(", then ")}.${cost}`,
    isPaged ? "The answer has a token if there may be more." : "",
  );
}

import { printable } from "../../base/printable.ts";
import { Identifiers } from "../output/identifiers.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import { madeOf, type Template, tooLarge } from "./cloudformation.ts";
import type { Resource } from "./cloudformation-maker.ts";
import type { Infrastructure } from "./describe.ts";
import type { Data, Notes } from "./yaml.ts";

/**
 * An app for the CDK. Its constructs are those of CloudFormation: only they can say all that a design states, such as
 * indexes with several key attributes, and so the app makes the same resources as the template.
 */
export function cdkFiles(infrastructure: Infrastructure): readonly OutputFile[] {
  const { model, missing } = infrastructure;
  const { template, notes } = madeOf(infrastructure);
  const header = [generatedFrom(model), ...missing, ...tooLarge(template)]
    .map((line) => `// ${printable(line)}\n`)
    .join("");
  const name = `${new Identifiers("pascal").of(model)}Stack`;
  return [
    { path: "app.ts", text: header + appText(name) },
    { path: "stack.ts", text: header + stackText(name, template, notes) },
  ];
}

function appText(name: string): string {
  return `import { App } from "aws-cdk-lib";
import { ${name} } from "./stack.js";

const app = new App();
new ${name}(app, ${quoted(name)});
app.synth();
`;
}

function stackText(name: string, template: Template, notes: Notes): string {
  const resources = Object.entries(template.Resources);
  const used = new Set(resources.map(([, { Type }]) => moduleOf(Type).name));
  const printer = new ValuePrinter(template);
  const modules = [...used].toSorted().map((one) => `  aws_${one} as ${one},`);
  const statements = [
    ...Object.entries(template.Parameters).map(
      ([id, parameter]) =>
        `new CfnParameter(this, ${quoted(id)}, ${printer.code(parameter, 2, true)});`,
    ),
    ...Object.entries(template.Conditions).map(
      ([id, Expression]) =>
        `new CfnCondition(this, ${quoted(id)}, ${printer.code({ Expression }, 2, true)});`,
    ),
    ...resources.flatMap(([id, resource]) => [
      ...(notes.has(id) ? [`// ${printable(notes.get(id) ?? "")}`] : []),
      construct(id, resource, printer),
    ]),
    ...Object.entries(template.Outputs).map(
      ([id, output]) => `new CfnOutput(this, ${quoted(id)}, ${printer.code(output, 2, true)});`,
    ),
  ];
  const helpers = [
    ...(resources.some(([, { DependsOn }]) => DependsOn !== undefined) ? [after] : []),
    kept,
  ];
  return `import {
${modules.join("\n")}
  Aws,
  CfnCondition,
  CfnDeletionPolicy,
  CfnOutput,
  CfnParameter,
  type CfnResource,
  Fn,
  Stack,
  type StackProps,
  Token,
} from "aws-cdk-lib";
import type { Construct } from "constructs";

export class ${name} extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, { description: ${quoted(template.Description)}, ...props });
    ${statements.join("\n    ")}
  }
}

${helpers.join("\n")}`;
}

const kept = `/** Whatever becomes of the stack, data stays. */
function kept(resource: CfnResource): void {
  resource.cfnOptions.deletionPolicy = CfnDeletionPolicy.RETAIN;
  resource.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
}
`;

const after = `/** Makes a resource when others are there that it does not name. */
function after(others: readonly string[], resource: CfnResource): void {
  for (const id of others) resource.node.addDependency(resource.stack.node.findChild(id));
}
`;

function construct(id: string, resource: Resource, printer: ValuePrinter): string {
  const { Type, DependsOn, DeletionPolicy, Properties } = resource;
  const { name, kind } = moduleOf(Type);
  const made = `new ${name}.Cfn${kind}(this, ${quoted(id)}, ${printer.code(Properties, 2, true)})`;
  if (DeletionPolicy !== undefined) return `kept(${made});`;
  return DependsOn === undefined
    ? `${made};`
    : `after([${DependsOn.map(quoted).join(", ")}], ${made});`;
}

/** `AWS::DynamoDB::Table` is `CfnTable` of the module `dynamodb`. */
function moduleOf(type: string): { readonly name: string; readonly kind: string } {
  const [, service = "", kind = ""] = type.split("::");
  return { name: service.toLowerCase(), kind };
}

/** Members whose names are not the CDK's but IAM's, DAX's or yours. */
const untyped = ["PolicyDocument", "AssumeRolePolicyDocument", "ParameterNameValues"];

/** What is shorter stands in one line. */
const lineMax = 80;

class ValuePrinter {
  /** Parameters that are lists. */
  readonly #lists: ReadonlySet<string>;

  constructor({ Parameters }: Template) {
    const lists = Object.entries(Parameters).filter(([, { Type }]) => Type.startsWith("List<"));
    this.#lists = new Set(lists.map(([name]) => name));
  }

  /** A value as an expression; names of properties begin with a small letter where the CDK has types for them. */
  code(value: Data, depth: number, small: boolean): string {
    if (typeof value === "string") return quoted(value);
    if (typeof value !== "object") return String(value);
    const indent = "  ".repeat(depth);
    const lines = (parts: readonly string[], open: string, close: string): string => {
      if (parts.length === 0) return open + close;
      const blank = open === "{" ? " " : "";
      const line = `${open}${blank}${parts.join(", ")}${blank}${close}`;
      if (line.length <= lineMax && !line.includes("\n")) return line;
      return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
    };
    if (Array.isArray(value)) {
      const parts = (value as readonly Data[]).map((one) => this.code(one, depth + 1, small));
      return lines(parts, "[", "]");
    }
    const entries = Object.entries(value).filter(
      (entry): entry is [string, Data] => entry[1] !== undefined,
    );
    const members = (): readonly string[] =>
      entries.map(([name, one]) => {
        const isTyped = !untyped.includes(name) && !(name === "Tags" && !Array.isArray(one));
        const key = small ? smallName(name) : quoted(name);
        return `${key}: ${this.code(one, depth + 1, small && isTyped)}`;
      });
    return this.#intrinsic(entries, depth) ?? lines(members(), "{", "}");
  }

  #intrinsic([entry, more]: readonly [string, Data][], depth: number): string | undefined {
    if (entry === undefined || more !== undefined) return undefined;
    const [name, value] = entry;
    const parts = (Array.isArray(value) ? (value as readonly Data[]) : [value]).map((one) =>
      this.code(one, depth, true),
    );
    const all = parts.join(", ");
    if (name === "Ref") {
      if (value === "AWS::Region") return "Aws.REGION";
      if (value === "AWS::NoValue") return "Aws.NO_VALUE";
      return this.#lists.has(value as string) ? `Token.asList(Fn.ref(${all}))` : `Fn.ref(${all})`;
    }
    if (name === "Fn::GetAtt") return `Fn.getAtt(${all}).toString()`;
    if (name === "Fn::If") return `Token.asList(Fn.conditionIf(${all}))`;
    const fn = functions.get(name);
    return fn === undefined ? undefined : `Fn.${fn}(${all})`;
  }
}

const functions = new Map([
  ["Fn::Sub", "sub"],
  ["Fn::Select", "select"],
  ["Fn::Split", "split"],
  ["Fn::Not", "conditionNot"],
  ["Fn::Equals", "conditionEquals"],
]);

/** `SSESpecification` is `sseSpecification`, `IAMRoleARN` is `iamRoleArn`, `KeySchema` is `keySchema`. */
function smallName(name: string): string {
  return name
    .replace(/ARN$/, "Arn")
    .replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\p{Cf}\u2028\u2029\u007f-\u009f]/gu,
    (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

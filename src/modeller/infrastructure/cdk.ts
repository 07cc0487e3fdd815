import { printable } from "../../base/printable.ts";
import { Identifiers } from "../output/identifiers.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import { type Resource, type Template, templateOf } from "./cloudformation.ts";
import type { Infrastructure } from "./describe.ts";
import type { Data } from "./yaml.ts";

/**
 * An app for the CDK. Its constructs are those of CloudFormation: only they can say all that a design states, such as
 * indexes with several key attributes, and so the app makes the same resources as the template.
 */
export function cdkFiles(infrastructure: Infrastructure): readonly OutputFile[] {
  const { model, missing } = infrastructure;
  const header = [generatedFrom(model), ...missing]
    .map((line) => `// ${printable(line)}\n`)
    .join("");
  const name = `${new Identifiers("pascal").of(model)}Stack`;
  return [
    { path: "app.ts", text: header + appText(name) },
    { path: "stack.ts", text: header + stackText(name, templateOf(infrastructure)) },
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

function stackText(name: string, template: Template): string {
  const resources = Object.entries(template.Resources);
  const used = new Set(resources.map(([, { Type }]) => moduleOf(Type).name));
  const modules = [...used].toSorted().map((one) => `  aws_${one} as ${one},`);
  const statements = [
    ...Object.entries(template.Parameters).map(
      ([id, { Type, Description, Default }]) =>
        `new CfnParameter(this, ${quoted(id)}, ${typed({
          Type,
          Description,
          ...(Default !== undefined && { Default }),
        })});`,
    ),
    `new CfnCondition(this, "HasAlarmTopic", {
      expression: Fn.conditionNot(Fn.conditionEquals(Fn.ref("AlarmTopicArn"), "none")),
    });`,
    ...resources.map(([id, resource]) => construct(id, resource)),
    ...Object.entries(template.Outputs).map(
      ([id, { Value }]) =>
        `new CfnOutput(this, ${quoted(id)}, { value: ${code(Value, 2, true)} });`,
    ),
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

/** Whatever becomes of the stack, data stays. */
function kept(resource: CfnResource): void {
  resource.cfnOptions.deletionPolicy = CfnDeletionPolicy.RETAIN;
  resource.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
}
`;
}

function construct(id: string, { Type, DeletionPolicy, Properties }: Resource): string {
  const { name, kind } = moduleOf(Type);
  const made = `new ${name}.Cfn${kind}(this, ${quoted(id)}, ${typed(Properties)})`;
  return DeletionPolicy === undefined ? `${made};` : `kept(${made});`;
}

/** `AWS::DynamoDB::Table` is `CfnTable` of the module `dynamodb`. */
function moduleOf(type: string): { readonly name: string; readonly kind: string } {
  const [, service = "", kind = ""] = type.split("::");
  return { name: service.toLowerCase(), kind };
}

function typed(properties: Readonly<Record<string, Data | undefined>>): string {
  return code(properties, 2, true);
}

/** A value as an expression; names of properties begin with a small letter where the CDK has types for them. */
function code(value: Data, depth: number, small: boolean): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object") return String(value);
  const indent = "  ".repeat(depth);
  const lines = (parts: readonly string[], open: string, close: string): string =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
  if (Array.isArray(value)) {
    return lines(
      (value as readonly Data[]).map((one) => code(one, depth + 1, small)),
      "[",
      "]",
    );
  }
  const entries = Object.entries(value).filter(
    (entry): entry is [string, Data] => entry[1] !== undefined,
  );
  return (
    intrinsic(entries, depth) ??
    lines(
      entries.map(([name, one]) => {
        const key = small ? smallName(name) : quoted(name);
        return `${key}: ${code(one, depth + 1, small && name !== "PolicyDocument")}`;
      }),
      "{",
      "}",
    )
  );
}

function intrinsic([entry, more]: readonly [string, Data][], depth: number): string | undefined {
  if (entry === undefined || more !== undefined) return undefined;
  const [name, value] = entry;
  const parts = (Array.isArray(value) ? value : [value]).map((one) => code(one, depth, true));
  if (name === "Ref") {
    if (value === "AWS::Region") return "Aws.REGION";
    return value === "AWS::NoValue" ? "Aws.NO_VALUE" : `Fn.ref(${parts[0]})`;
  }
  if (name === "Fn::Sub") return `Fn.sub(${parts[0]})`;
  if (name === "Fn::GetAtt") return `Fn.getAtt(${parts.join(", ")}).toString()`;
  return name === "Fn::If" ? `Token.asList(Fn.conditionIf(${parts.join(", ")}))` : undefined;
}

/** `SSESpecification` is `sseSpecification`, `KeySchema` is `keySchema`. */
function smallName(name: string): string {
  return name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\p{Cf}\u2028\u2029\u007f-\u009f]/gu,
    (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

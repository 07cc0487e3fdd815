import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import validate from "@aws/cloudformation-validate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  cloudFormationFiles,
  templateOf,
} from "../../src/modeller/infrastructure/cloudformation.ts";
import type { Infrastructure } from "../../src/modeller/infrastructure/describe.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";
import {
  cases,
  described,
  exampleModel,
  hostileModel,
  hostileText,
} from "./examples.test-support.ts";
import {
  createRequestOf,
  type TableResource,
  tableResources,
} from "./template-tables.test-support.ts";

const caller = { account: "000000000000", region: "us-east-1" };

let folder: string;
let validator: InstanceType<typeof validate.SchemaValidator>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "keywright-template-"));
  validator = new validate.SchemaValidator();
}, 180_000);
afterAll(() => {
  validator.free();
  rmSync(folder, { recursive: true });
});

function textOf(infrastructure: Infrastructure): string {
  return cloudFormationFiles(infrastructure)[0]?.text ?? "";
}

/** What the schemas of CloudFormation say against a template. */
function complaints(template: string): readonly string[] {
  const file = join(folder, "template.yaml");
  writeFileSync(file, template);
  return validator
    .validate(new validate.TemplateFile(file))
    .filter(({ severity }) => severity !== "INFO")
    .map(({ ruleId, message, propertyPath }) => `${ruleId} ${propertyPath}: ${message}`);
}

describe("CloudFormation", () => {
  it.each(cases)("%s passes the schemas of its resources", (name) => {
    expect(complaints(textOf(described(exampleModel(name))))).toEqual([]);
  });

  it("is held against the schemas", () => {
    const text = textOf(described(exampleModel("online-shop")));
    expect(complaints(text.replace("BillingMode:", "BillingModes:"))).toEqual([
      "F3002 Properties.BillingModes: Additional properties are not allowed ('BillingModes' was unexpected. Did you mean 'BillingMode'?)",
    ]);
  });

  it.each(cases)("%s reads as what was meant", (name) => {
    const infrastructure = described(exampleModel(name));
    const { AWSTemplateFormatVersion: _, ...read } = parse(textOf(infrastructure));
    expect(read).toEqual(JSON.parse(JSON.stringify(templateOf(infrastructure))));
  });

  it.each(cases)("%s makes the tables of the model on the engine", async (name) => {
    const infrastructure = described(exampleModel(name));
    const resources = tableResources(parse(textOf(infrastructure)));
    expect(resources).toHaveLength(infrastructure.tables.length);
    const ours = await tablesFrom(infrastructure.tables.map(({ now }) => now.create));
    const theirs = await tablesFrom(resources.map((one: TableResource) => createRequestOf(one)));
    expect(theirs).toEqual(ours);
  });

  it("keeps names and texts of a model as data", () => {
    const infrastructure = described(hostileModel());
    const text = textOf(infrastructure);
    const { AWSTemplateFormatVersion: _, ...rest } = parse(text);
    expect(rest).toEqual(JSON.parse(JSON.stringify(templateOf(infrastructure))));
    expect(JSON.stringify(rest)).toContain(JSON.stringify(hostileText));
    const patterns = Object.values(templateOf(infrastructure).Resources).flatMap(
      ({ Type, Properties }) =>
        Type === "AWS::Lambda::EventSourceMapping" ? [JSON.stringify(Properties)] : [],
    );
    expect(patterns[0]).toContain(
      JSON.stringify(JSON.stringify({ dynamodb: { [hostileText]: [hostileText] } })),
    );
    expect(complaints(text)).toEqual([]);
    expect(tableResources(parse(text))).toHaveLength(2);
  });
});

/** Makes tables on the engine and says what it says of them, without what is drawn or timed. */
async function tablesFrom(requests: readonly object[]): Promise<readonly unknown[]> {
  const workbench = await openWorkbench({ transitionMs: 0 });
  try {
    const made: unknown[] = [];
    for (const request of requests) {
      const { TableDescription: table } = (await workbench.execute(
        "CreateTable",
        request,
        caller,
      )) as { TableDescription: Record<string, unknown> };
      const { TableId, CreationDateTime, LatestStreamArn, LatestStreamLabel, ...rest } = table;
      made.push(JSON.parse(JSON.stringify(rest, withoutTimes)));
    }
    return made;
  } finally {
    await workbench.close();
  }
}

function withoutTimes(name: string, value: unknown): unknown {
  return /DateTime$/.test(name) ? undefined : value;
}

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
import { designedTables, tablesFrom } from "./engine-tables.test-support.ts";
import {
  cases,
  described,
  exampleModel,
  hostileModel,
  hostileText,
} from "./examples.test-support.ts";
import { createRequestOf, tableResources } from "./template-tables.test-support.ts";

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
    expect(await tablesFrom(resources.map(createRequestOf))).toEqual(
      await tablesFrom(designedTables(infrastructure)),
    );
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
    expect(tableResources(parse(text))).toHaveLength(3);
  });
});

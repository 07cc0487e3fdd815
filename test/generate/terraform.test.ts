import { parse } from "@cdktn/hcl2json";
import { describe, expect, it } from "vitest";
import type { Infrastructure } from "../../src/modeller/infrastructure/describe.ts";
import { terraformFiles } from "../../src/modeller/infrastructure/terraform.ts";
import {
  cases,
  described,
  exampleModel,
  hostileModel,
  hostileText,
} from "./examples.test-support.ts";
import schema from "./terraform-schema.json" with { type: "json" };

type Body = Record<string, unknown>;

interface Module {
  readonly resource: Record<string, Record<string, readonly Body[]>>;
  readonly variable: Record<string, readonly Body[]>;
}

/** All files of a module, as the parser reads them, in one. */
async function moduleOf(infrastructure: Infrastructure): Promise<Module> {
  const all: Record<string, Body> = {};
  for (const { path, text } of terraformFiles(infrastructure)) {
    for (const [kind, parts] of Object.entries(await parse(path, text))) {
      for (const [name, part] of Object.entries(parts as Body)) {
        all[kind] ??= {};
        const there = all[kind][name] as Body | undefined;
        for (const id of Object.keys(part as Body)) {
          if (there !== undefined && id in there) throw new Error(`${kind} ${name} ${id} twice`);
        }
        all[kind][name] = there === undefined ? part : { ...there, ...(part as Body) };
      }
    }
  }
  return all as unknown as Module;
}

const everywhere = new Set(["for_each", "lifecycle"]);

/** The same, with nothing that must be there. */
function optional(known: Body): Body {
  return Object.fromEntries(
    Object.entries(known).map(([name, type]) => [name.replace(/!$/, ""), type]),
  );
}

/** What of a block is not in the schema, with where. */
function misfits(body: Body, known: Body, at: string): readonly string[] {
  const names = new Map(Object.keys(known).map((name) => [name.replace(/!$/, ""), name]));
  const missing = [...names].flatMap(([name, stated]) =>
    stated.endsWith("!") && !(name in body) ? [`${at}.${name} is missing`] : [],
  );
  const found = Object.entries(body).flatMap(([name, value]) => {
    const stated = names.get(name);
    if (everywhere.has(name)) return [];
    if (name === "dynamic") {
      return Object.entries(value as Record<string, readonly Body[]>).flatMap(([block, parts]) =>
        parts.flatMap(({ content }) => misfits({ [block]: content }, optional(known), at)),
      );
    }
    if (stated === undefined) return [`${at}.${name} is unknown`];
    const type = known[stated];
    if (typeof type !== "string") {
      if (!Array.isArray(value)) return [`${at}.${name} is no block`];
      return value.flatMap((one) => misfits(one as Body, type as Body, `${at}.${name}`));
    }
    return fits(value, type) ? [] : [`${at}.${name} is not a ${type}: ${JSON.stringify(value)}`];
  });
  return [...missing, ...found];
}

function fits(value: unknown, type: string): boolean {
  if (typeof value === "string" && /^\$\{.*\}$/s.test(value)) return true;
  if (type === "list") return Array.isArray(value);
  if (type === "map") return typeof value === "object" && !Array.isArray(value);
  return typeof value === (type === "bool" ? "boolean" : type);
}

function allMisfits({ resource }: Module): readonly string[] {
  return Object.entries(resource).flatMap(([type, named]) => {
    const known = (schema as unknown as Record<string, Body>)[type];
    if (known === undefined) return [`${type} is unknown`];
    return Object.entries(named).flatMap(([name, [body]]) =>
      misfits(body as Body, known, `${type}.${name}`),
    );
  });
}

describe("Terraform", () => {
  it.each(cases)("%s parses and has nothing that the provider does not know", async (name) => {
    const infrastructure = described(exampleModel(name));
    const module = await moduleOf(infrastructure);
    expect(allMisfits(module)).toEqual([]);
    expect(Object.keys(module.resource.aws_dynamodb_table ?? {})).toHaveLength(
      infrastructure.tables.length,
    );
    const text = JSON.stringify(terraformFiles(infrastructure));
    const used = [...text.matchAll(/var\.([a-z0-9_]+)/g)].map(([, variable]) => variable as string);
    expect(new Set(used)).toEqual(new Set(Object.keys(module.variable)));
  });

  it("is held against the schema", async () => {
    const module = await moduleOf(described(exampleModel("online-shop")));
    const shop = bodyOf(module, "aws_dynamodb_table", "shop");
    shop.hash_keys = ["PK"];
    shop.stream_enabled = "yes";
    delete shop.name;
    expect(allMisfits(module)).toEqual([
      "aws_dynamodb_table.shop.name is missing",
      'aws_dynamodb_table.shop.stream_enabled is not a bool: "yes"',
      "aws_dynamodb_table.shop.hash_keys is unknown",
    ]);
  });

  it.each(cases)("%s makes the tables of the model", async (name) => {
    const infrastructure = described(exampleModel(name));
    const { resource } = await moduleOf(infrastructure);
    const made = Object.values(resource.aws_dynamodb_table ?? {}).map(([body]) =>
      tableOf(body as Body),
    );
    const wanted = infrastructure.tables.map(({ table, now, older }) => {
      const { create } = now;
      return {
        name: `\${var.table_prefix}${table.name}${older === undefined ? "" : `-\${each.key}`}`,
        attributes: create.AttributeDefinitions.map((one) => Object.values(one)),
        key: create.KeySchema.map(({ AttributeName }) => AttributeName),
        global: (create.GlobalSecondaryIndexes ?? []).map((index) => [
          index.IndexName,
          index.KeySchema.map((one) => Object.values(one)),
          index.Projection.ProjectionType,
          index.Projection.NonKeyAttributes,
        ]),
        local: (create.LocalSecondaryIndexes ?? []).map((index) => [
          index.IndexName,
          index.KeySchema[1]?.AttributeName,
          index.Projection.ProjectionType,
          index.Projection.NonKeyAttributes,
        ]),
        stream: create.StreamSpecification?.StreamViewType,
        ttl: now.ttl,
        protected: create.DeletionProtectionEnabled,
        days: table.pitrDays,
        replicas: table.replicas,
      };
    });
    expect(made.toSorted(byName)).toEqual(wanted.toSorted(byName));
  });

  it("runs periods that are over in their own way", async () => {
    const module = await moduleOf(described(exampleModel("device-readings")));
    const readings = bodyOf(module, "aws_dynamodb_table", "readings");
    expect(readings.table_class).toBe(
      `\${each.key == var.readings_period ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS"}`,
    );
    expect(module.variable).toHaveProperty("readings_period");
  });

  it("has limits of on-demand periods only there, and scaling of others only there", async () => {
    const module = await moduleOf(described(exampleModel("rich")));
    const monthly = bodyOf(module, "aws_dynamodb_table", "monthly");
    expect(monthly).toMatchObject({
      billing_mode: `\${each.key == var.monthly_period ? "PAY_PER_REQUEST" : "PROVISIONED"}`,
      read_capacity: `\${each.key == var.monthly_period ? null : 20}`,
      dynamic: {
        on_demand_throughput: [
          {
            for_each: `\${(each.key == var.monthly_period) ? [1] : []}`,
            content: [{ max_read_request_units: 500 }],
          },
        ],
      },
    });
    expect(bodyOf(module, "aws_appautoscaling_target", "monthly_read_before")).toMatchObject({
      for_each: `\${toset(var.monthly_periods_before)}`,
      max_capacity: 40,
    });
    const spread = bodyOf(module, "aws_dynamodb_table", "spread");
    expect(spread.lifecycle).toEqual([
      { ignore_changes: [`\${read_capacity}`, `\${write_capacity}`] },
    ]);
  });

  it("keeps names and texts of a model as data", async () => {
    const module = await moduleOf(described(hostileModel()));
    expect(allMisfits(module)).toEqual([]);
    const texts = textsIn(module);
    const escaped = hostileText.replaceAll(/([$%])\{/g, "$1$1{");
    expect(texts).toContain(escaped);
    expect(texts).toContain("__proto__");
    expect(texts).toContain(`constructor-${"x".repeat(150)}`);
    const [first = ""] = Object.keys(module.resource.aws_lambda_event_source_mapping ?? {});
    const mapping = bodyOf(module, "aws_lambda_event_source_mapping", first) as unknown as {
      filter_criteria: [{ filter: [{ pattern: string }] }];
    };
    const pattern = mapping.filter_criteria[0].filter[0].pattern;
    expect(JSON.parse(pattern.replaceAll(/([$%])\1\{/g, "$1{"))).toEqual({
      dynamodb: { [hostileText]: [hostileText] },
    });
    // IAM reads these signs in values, so they are said by their names, and Terraform reads none of it.
    const policy = bodyOf(module, "aws_iam_policy", "access_id").policy;
    expect(policy).toContain('["$${$}$${*}$${?}$${$}{$${aws:PrincipalTag/id}"]');
    // Both tables have their own name.
    expect(Object.keys(module.resource.aws_dynamodb_table ?? {})).toEqual(["a_b_c_d", "a_b_c_d_2"]);
  });
});

function bodyOf({ resource }: Module, type: string, name: string): Body {
  const body = resource[type]?.[name]?.[0];
  if (body === undefined) throw new Error(`there is no ${type} ${name}`);
  return body;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)]);
}

function byName(a: { name: unknown }, b: { name: unknown }): number {
  return String(a.name) < String(b.name) ? -1 : 1;
}

function tableOf(body: Body) {
  const list = (name: string): readonly Body[] => (body[name] as readonly Body[] | undefined) ?? [];
  return {
    name: body.name,
    attributes: list("attribute").map(({ name, type }) => [name, type]),
    key: [body.hash_key, body.range_key].filter((name) => name !== undefined),
    global: list("global_secondary_index").map((index) => [
      index.name,
      (index.key_schema as readonly Body[]).map((one) => [one.attribute_name, one.key_type]),
      index.projection_type,
      index.non_key_attributes,
    ]),
    local: list("local_secondary_index").map((index) => [
      index.name,
      index.range_key,
      index.projection_type,
      index.non_key_attributes,
    ]),
    stream: body.stream_view_type,
    ttl: list("ttl")[0]?.attribute_name,
    protected: body.deletion_protection_enabled,
    days: list("point_in_time_recovery")[0]?.recovery_period_in_days,
    replicas: list("replica").map(({ region_name }) => region_name),
  };
}

import { parse } from "@cdktn/hcl2json";
import type { Infrastructure } from "../../src/modeller/infrastructure/describe.ts";
import { terraformFiles } from "../../src/modeller/infrastructure/terraform.ts";

export type Body = Record<string, unknown>;
type Named = Readonly<Record<string, readonly Body[]>>;

/** A module as the parser reads it: blocks by their labels. */
export interface Module {
  readonly resource: Readonly<Record<string, Named>>;
  readonly data: Readonly<Record<string, Named>>;
  readonly variable: Named;
  readonly output: Named;
  readonly locals: readonly Body[];
}

/** All files of a module in one. */
export async function moduleOf(infrastructure: Infrastructure): Promise<Module> {
  const resource: Record<string, Record<string, readonly Body[]>> = {};
  const data: Record<string, Record<string, readonly Body[]>> = {};
  const variable: Record<string, readonly Body[]> = {};
  const output: Record<string, readonly Body[]> = {};
  const locals: Body[] = [];
  const add = (into: Record<string, readonly Body[]>, from: object, what: string): void => {
    for (const [name, bodies] of Object.entries(from)) {
      if (name in into || bodies.length !== 1) throw new Error(`${what} ${name} twice`);
      into[name] = bodies;
    }
  };
  for (const { path, text } of terraformFiles(infrastructure)) {
    const { terraform, ...parts } = (await parse(path, text)) as Record<string, object>;
    for (const [kind, part] of Object.entries(parts)) {
      if (kind === "locals") locals.push(...(part as Body[]));
      else if (kind === "variable") add(variable, part, kind);
      else if (kind === "output") add(output, part, kind);
      else if (kind === "resource" || kind === "data") {
        const into = kind === "resource" ? resource : data;
        for (const [type, named] of Object.entries(part)) {
          into[type] ??= {};
          add(into[type], named, type);
        }
      } else throw new Error(`${kind} is no block that is known`);
    }
  }
  return { resource, data, variable, output, locals };
}

export function bodyOf({ resource }: Module, type: string, name: string): Body {
  const body = resource[type]?.[name]?.[0];
  if (body === undefined) throw new Error(`there is no ${type} ${name}`);
  return body;
}

/** All texts in a value, names of members too. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)]);
}

/** The requests that the provider would send to make the tables of a module, in the current period. */
export function requestsOf(module: Module): readonly TableRequest[] {
  return Object.entries(module.resource.aws_dynamodb_table ?? {}).map(([id, [body]]) =>
    requestOf(module, id, body as Body),
  );
}

export interface TableRequest {
  readonly create: { readonly TableName: string };
  readonly ttl: unknown;
}

/** What an expression is in the current period; anything else is itself. */
function now(value: unknown): unknown {
  const choice = /^\$\{each\.key == var\.\w+ \? (.*) : (.*)\}$/.exec(String(value));
  if (choice === null) return value;
  const chosen = JSON.parse(choice[1] ?? "");
  return chosen === null ? undefined : chosen;
}

function blocks(body: Body, name: string): readonly Body[] {
  const plain = (body[name] as readonly Body[] | undefined) ?? [];
  const [dynamic] =
    (body.dynamic as Record<string, readonly Body[]> | undefined)?.[name] ?? ([] as Body[]);
  if (dynamic === undefined) return plain;
  const isNow = /^\$\{\(each\.key == var\.\w+\) \? \[1\] : \[\]\}$/.test(String(dynamic.for_each));
  return isNow ? (dynamic.content as readonly Body[]) : plain;
}

function requestOf({ resource, data }: Module, id: string, body: Body): TableRequest {
  const own = Object.values(resource.aws_dynamodb_global_secondary_index ?? {})
    .map(([index]) => index as Body)
    .filter(({ table_name }) => table_name === `\${aws_dynamodb_table.${id}.name}`);
  const global = [...blocks(body, "global_secondary_index").map(inTable), ...own.map(ofItsOwn)];
  const local = blocks(body, "local_secondary_index");
  const types = new Map([
    ...blocks(body, "attribute").map(({ name, type }) => [name, type] as const),
    ...own.flatMap((index) =>
      blocks(index, "key_schema").map((one) => [one.attribute_name, one.attribute_type] as const),
    ),
  ]);
  const [sse] = blocks(body, "server_side_encryption");
  const key = /^\$\{data\.aws_kms_key\.(\w+)\.arn\}$/.exec(String(sse?.kms_key_arn))?.[1];
  return {
    create: {
      TableName: String(body.name).replaceAll(/-?\$\{[^}]*\}/g, ""),
      AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      KeySchema: keys(body),
      ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
      ...(local.length > 0 && {
        LocalSecondaryIndexes: local.map((index) => ({
          IndexName: index.name,
          KeySchema: keys({ hash_key: body.hash_key, range_key: index.range_key }),
          Projection: projection(index),
        })),
      }),
      BillingMode: now(body.billing_mode),
      ...units(now(body.read_capacity), now(body.write_capacity)),
      ...limits(body),
      ...(now(body.table_class) !== "STANDARD" && { TableClass: now(body.table_class) }),
      ...(body.stream_enabled === true && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: body.stream_view_type },
      }),
      ...(sse !== undefined && {
        SSESpecification: {
          Enabled: sse.enabled,
          SSEType: "KMS",
          ...(key !== undefined && { KMSMasterKeyId: data.aws_kms_key?.[key]?.[0]?.key_id }),
        },
      }),
      DeletionProtectionEnabled: body.deletion_protection_enabled,
    } as TableRequest["create"],
    ttl: blocks(body, "ttl")[0]?.attribute_name,
  };
}

function keys({ hash_key, range_key }: Body): readonly object[] {
  return [
    { AttributeName: hash_key, KeyType: "HASH" },
    ...(range_key === undefined ? [] : [{ AttributeName: range_key, KeyType: "RANGE" }]),
  ];
}

function keySchema(index: Body): readonly object[] {
  return blocks(index, "key_schema").map(({ attribute_name, key_type }) => ({
    AttributeName: attribute_name,
    KeyType: key_type,
  }));
}

function projection({ projection_type, non_key_attributes }: Body): object {
  return {
    ProjectionType: projection_type,
    ...(non_key_attributes !== undefined && { NonKeyAttributes: non_key_attributes }),
  };
}

function units(read: unknown, write: unknown): object {
  if (read === undefined) return {};
  return { ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write } };
}

function limits(body: Body, warmed?: Body): object {
  const [most] = blocks(body, "on_demand_throughput");
  const warm = warmed ?? blocks(body, "warm_throughput")[0];
  const given = (member: string, value: unknown): object =>
    value === undefined ? {} : { [member]: value };
  return {
    ...(most !== undefined && {
      OnDemandThroughput: {
        ...given("MaxReadRequestUnits", most.max_read_request_units),
        ...given("MaxWriteRequestUnits", most.max_write_request_units),
      },
    }),
    ...(warm !== undefined && {
      WarmThroughput: {
        ...given("ReadUnitsPerSecond", warm.read_units_per_second),
        ...given("WriteUnitsPerSecond", warm.write_units_per_second),
      },
    }),
  };
}

function inTable(index: Body): object {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index),
    Projection: projection(index),
    ...units(now(index.read_capacity), now(index.write_capacity)),
    ...limits(index),
  };
}

function ofItsOwn(index: Body): object {
  const [throughput] = blocks(index, "provisioned_throughput");
  return {
    IndexName: index.index_name,
    KeySchema: keySchema(index),
    Projection: projection(blocks(index, "projection")[0] ?? {}),
    ...units(throughput?.read_capacity_units, throughput?.write_capacity_units),
    ...limits(index, index.warm_throughput as Body | undefined),
  };
}

import { type Body, type Module, textsIn } from "./terraform-module.test-support.ts";
import schema from "./terraform-schema.json" with { type: "json" };

/** What is said of an argument or a block in the kept schema. */
interface Member {
  readonly type?: "string" | "number" | "bool" | "list" | "map";
  readonly block?: Readonly<Record<string, Member>>;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly values?: readonly string[];
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly conflicts?: readonly string[];
  readonly needs?: readonly string[];
}

interface Kind {
  readonly arguments: Readonly<Record<string, Member>>;
  readonly exports: readonly string[];
}

const kinds = {
  resource: schema.resources as unknown as Readonly<Record<string, Kind>>,
  data: schema.data as unknown as Readonly<Record<string, Kind>>,
};

/** What Terraform itself reads in every resource. */
const everywhere = new Map<string, (value: unknown) => boolean>([
  ["for_each", (value) => isExpression(value)],
  ["count", (value) => isExpression(value)],
  ["depends_on", (value) => Array.isArray(value) && value.every(isExpression)],
  ["lifecycle", (value) => Array.isArray(value) && value.length === 1],
]);

/** Everything in a module that the provider or Terraform would refuse, with where. */
export function misfits(module: Module): readonly string[] {
  const found = (["resource", "data"] as const).flatMap((kind) =>
    Object.entries(module[kind]).flatMap(([type, named]) => {
      const known = kinds[kind][type];
      if (known === undefined) return [`${type} is unknown`];
      return Object.entries(named).flatMap(([name, [body]]) => {
        const at = `${type}.${name}`;
        return [
          ...ofBody(body as Body, known.arguments, at, kind === "resource"),
          ...(type === "aws_dynamodb_table" ? ofTable(module, name, body as Body) : []),
          ...ofReferences(module, body as Body, at),
        ];
      });
    }),
  );
  return [...found, ...ofVariables(module), ...ofOutputs(module)];
}

function isExpression(value: unknown): boolean {
  return typeof value === "string" && /^\$\{.*\}$/s.test(value);
}

function ofBody(
  body: Body,
  known: Readonly<Record<string, Member>>,
  at: string,
  isResource: boolean,
): readonly string[] {
  const dynamic = (body.dynamic ?? {}) as Record<string, readonly Body[]>;
  const there = (name: string): boolean => name in body || name in dynamic;
  const missing = Object.entries(known).flatMap(([name, { required }]) =>
    required === true && !there(name) ? [`${at}.${name} is missing`] : [],
  );
  const members = Object.entries(body).flatMap(([name, value]) => {
    const where = `${at}.${name}`;
    if (name === "dynamic") return [];
    const own = isResource ? everywhere.get(name) : undefined;
    if (own !== undefined) return own(value) ? [] : [`${where} is not what Terraform reads`];
    const member = Object.hasOwn(known, name) ? known[name] : undefined;
    if (member === undefined) return [`${where} is unknown`];
    const beside = [
      ...(member.conflicts ?? [])
        .filter(there)
        // One of them may be nothing where the other one is not.
        .filter((other) => !(isExpression(value) && other in dynamic))
        .map((other) => `${where} conflicts with ${other}`),
      ...(member.needs ?? [])
        .filter((other) => !there(other))
        .map((other) => `${where} needs ${other}`),
      ...(member.deprecated === true ? [`${where} is deprecated`] : []),
    ];
    if (member.block !== undefined) return [...beside, ...ofBlocks(value, member, where)];
    return [...beside, ...ofValue(value, member, where)];
  });
  const repeated = Object.entries(dynamic).flatMap(([name, bodies]) => {
    const where = `${at}.${name}`;
    const { block } = known[name] ?? {};
    if (block === undefined) return [`${where} is no block`];
    return bodies.flatMap(({ for_each, content, ...rest }) => [
      ...(Array.isArray(for_each) || isExpression(for_each)
        ? []
        : [`${where} is for each of what`]),
      ...Object.keys(rest).map((other) => `${where}.${other} is unknown`),
      ...ofBlocks(content, { block, max: 1 }, where),
    ]);
  });
  return [...missing, ...members, ...repeated];
}

function ofBlocks(value: unknown, { block = {}, max }: Member, at: string): readonly string[] {
  if (!Array.isArray(value)) return [`${at} is no block`];
  return [
    ...(max !== undefined && value.length > max ? [`${at} is there ${value.length} times`] : []),
    ...value.flatMap((one) => ofBody(one as Body, block, at, false)),
  ];
}

function ofValue(value: unknown, member: Member, at: string): readonly string[] {
  const { type, values, pattern, min, max, minLength, maxLength } = member;
  if (isExpression(value)) return [];
  const is = Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;
  const wrong = (says: string): readonly string[] => [`${at} ${says}: ${JSON.stringify(value)}`];
  if (is !== (type === "bool" ? "boolean" : type)) return wrong(`is not a ${type}`);
  if (typeof value === "number") {
    if (min !== undefined && value < min) return wrong(`is below ${min}`);
    return max !== undefined && value > max ? wrong(`is above ${max}`) : [];
  }
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return texts.flatMap((text) => {
    // What is put together when it is applied is looked at as it is then, at its longest.
    const whole = typeof text === "string" ? atItsLongest(text) : undefined;
    if (typeof whole !== "string") return [];
    if (values !== undefined && !values.includes(whole)) return wrong("is none of its values");
    if (pattern !== undefined && !new RegExp(pattern).test(whole)) return wrong("has not its form");
    if (maxLength !== undefined && whole.length > maxLength) return wrong(`is over ${maxLength}`);
    return minLength !== undefined && whole.length < minLength
      ? wrong(`is under ${minLength}`)
      : [];
  });
}

/** With the longest that variables can hold. Signs that are doubled stand for themselves. */
function atItsLongest(text: string): string | undefined {
  const filled = text
    .replaceAll(/([$%])\1\{/g, "$1\u0000")
    .replaceAll(`\${var.project}`, "p".repeat(28))
    .replaceAll(`\${var.environment}`, "e".repeat(20))
    .replaceAll(`\${var.table_prefix}`, "t".repeat(64))
    .replaceAll(`\${each.key}`, "2026-11-16")
    .replaceAll(/\$\{metric_query\.key\}/g, "9");
  // What else it may be nobody knows before.
  return filled.includes(`\${`) ? undefined : filled.replaceAll("\u0000", "{");
}

/** What only holds for all of a table together. */
function ofTable({ resource }: Module, name: string, body: Body): readonly string[] {
  const at = `aws_dynamodb_table.${name}`;
  const list = (from: Body, block: string): readonly Body[] =>
    (from[block] as readonly Body[] | undefined) ?? [];
  const own = Object.values(resource.aws_dynamodb_global_secondary_index ?? {})
    .map(([index]) => index as Body)
    .filter(({ table_name }) => table_name === `\${aws_dynamodb_table.${name}.name}`);
  const inTable = list(body, "global_secondary_index");
  const used = new Set([
    body.hash_key,
    ...(body.range_key === undefined ? [] : [body.range_key]),
    ...inTable.flatMap((index) => list(index, "key_schema").map((one) => one.attribute_name)),
    ...list(body, "local_secondary_index").map(({ range_key }) => range_key),
  ]);
  const defined = list(body, "attribute").map((attribute) => attribute.name);
  const says: string[] = [];
  for (const attribute of defined) if (!used.has(attribute)) says.push(`${attribute} is not used`);
  for (const attribute of used) {
    if (!defined.includes(attribute)) says.push(`${attribute} is not defined`);
  }
  if (inTable.length > 0 && own.length > 0) says.push("has indexes of both kinds");
  for (const index of [...inTable, ...own]) {
    const types = list(index, "key_schema").map(({ key_type }) => key_type);
    if (!/^(HASH ){1,4}(RANGE ){0,4}$/.test(types.map((type) => `${type} `).join(""))) {
      says.push(`the key of an index is ${types.join(" ")}`);
    }
  }
  for (const index of [...inTable, ...list(body, "local_secondary_index")]) {
    const isIncluded = index.projection_type === "INCLUDE";
    if (isIncluded !== Array.isArray(index.non_key_attributes)) says.push("projects nothing");
  }
  if ((body.stream_enabled === true) !== (body.stream_view_type !== undefined)) {
    says.push("has a view without a stream, or a stream without a view");
  }
  if (body.billing_mode === "PROVISIONED" && body.read_capacity === undefined) {
    says.push("is provisioned without units");
  }
  if (body.billing_mode === "PAY_PER_REQUEST" && body.read_capacity !== undefined) {
    says.push("is on-demand with units");
  }
  const replicas = [
    ...list(body, "replica"),
    ...Object.values(resource.aws_dynamodb_table_replica ?? {})
      .map(([one]) => one as Body)
      .filter((one) => one.global_table_arn === `\${aws_dynamodb_table.${name}.arn}`),
  ];
  if (replicas.length > 0 && body.stream_view_type !== "NEW_AND_OLD_IMAGES") {
    says.push("has replicas without both images");
  }
  if (list(body, "replica").length > 0 && body.billing_mode === "PROVISIONED") {
    says.push("has replicas before its writes are scaled");
  }
  return says.map((one) => `${at}: ${one}`);
}

/** What is named and is not there. */
function ofReferences(module: Module, body: Body, at: string): readonly string[] {
  const isForEach = "for_each" in body;
  return textsIn(body).flatMap((text) => {
    const code = text.replaceAll(/([$%])\1\{/g, "");
    if (!code.includes("${")) return [];
    const says = [...code.matchAll(reference)].flatMap(
      ([whole, data, type = "", name = "", , index, member]) => {
        const kind = data === undefined ? "resource" : "data";
        const target = module[kind][type]?.[name]?.[0];
        if (target === undefined) return [`${whole} is not there`];
        const before = code.slice(0, code.indexOf(whole));
        const isAll = /(\bin |values\()$/.test(before) || "count" in target;
        if ("for_each" in target && index !== "[each.key]" && !isAll)
          return [`${whole} is several`];
        if (!("for_each" in target) && index !== undefined) return [`${whole} is one`];
        const known = kinds[kind][type];
        if (member === undefined || known === undefined) return [];
        const isKnown = Object.hasOwn(known.arguments, member) || known.exports.includes(member);
        return isKnown ? [] : [`${whole} has no ${member}`];
      },
    );
    const locals = module.locals.flatMap((one) => Object.keys(one));
    const unknown = [...code.matchAll(/\b(var|local)\.(\w+)/g)].flatMap(
      ([whole, kind, name = ""]) => {
        const names = kind === "var" ? Object.keys(module.variable) : locals;
        return names.includes(name) ? [] : [`${whole} is not there`];
      },
    );
    const each = /\beach\.(key|value)\b/.test(code) && !isForEach ? ["each is nothing here"] : [];
    return [...says, ...unknown, ...each].map((one) => `${at}: ${one}`);
  });
}

const reference =
  /(?<![\w."])(data\.)?(aws_[a-z0-9_]+)\.([a-z0-9_]+)((\[[^\]]*\])?(?:\.([a-z_]+))?)/g;

function ofVariables({ variable }: Module): readonly string[] {
  const members = ["description", "type", "default", "validation"];
  return Object.entries(variable).flatMap(([name, [body = {}]]) => [
    ...Object.keys(body)
      .filter((member) => !members.includes(member))
      .map((member) => `var.${name}.${member} is unknown`),
    ...(typeof body.description === "string" ? [] : [`var.${name} says nothing`]),
    ...((body.validation ?? []) as readonly Body[]).flatMap((one) => [
      ...(Object.keys(one).toSorted().join() === "condition,error_message"
        ? []
        : [`var.${name}.validation is unknown`]),
      ...(String(one.condition).includes(`var.${name})`) ? [] : [`var.${name} checks another`]),
    ]),
    // Names that Terraform keeps for modules.
    ...(/^(source|version|providers|count|for_each|lifecycle|depends_on|locals)$/.test(name)
      ? [`var.${name} is reserved`]
      : []),
  ]);
}

function ofOutputs(module: Module): readonly string[] {
  return Object.entries(module.output).flatMap(([name, [body = {}]]) => [
    ...(Object.keys(body).toSorted().join() === "description,value"
      ? []
      : [`output.${name} has other members`]),
    ...ofReferences(module, body, `output.${name}`),
  ]);
}

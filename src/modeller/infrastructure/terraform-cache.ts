import { cacheActions, cacheParameters } from "./cache.ts";
import type { TableDescription } from "./describe.ts";
import { args, type Block, block, expression } from "./hcl.ts";
import { plainName } from "./short-name.ts";
import type { TerraformNames } from "./terraform-names.ts";
import { keyStatement } from "./terraform-policies.ts";
import { allow, roleBlock, rolePolicyBlock } from "./terraform-roles.ts";

/** A cluster's name has 20 characters: so many of them are the table's, the others make it one of its kind. */
const wordMax = 11;

/** A cache in front of a table: a cluster, its network, its times and its role. */
export function cacheBlocks({ table }: TableDescription, names: TerraformNames): readonly Block[] {
  const { dax } = table;
  if (dax === undefined) return [];
  const role = names.resource("aws_iam_role", "dax", table.name);
  const nameOf = (type: string): string => names.resource(type, table.name);
  const refOf = (type: string): string => names.ref(type, table.name);
  const local = names.resource("local", "cache", table.name);
  const name = expression(`local.${local}`);
  const onTable = allow(cacheActions, expression(`${listOf(names, table)}`));
  return [
    block(
      "locals",
      args({
        [local]: expression(
          `"${clusterWord(table.name)}-\${substr(md5("${all(table.name)}"), 0, 8)}"`,
        ),
      }),
    ),
    roleBlock(role, "dax", "dax"),
    rolePolicyBlock(role, [
      onTable,
      ...(typeof table.encryption === "object"
        ? [keyStatement(table, ["kms:Decrypt"], names)]
        : []),
    ]),
    block(
      "resource",
      args({ name, subnet_ids: expression("var.dax_subnet_ids") }),
      "aws_dax_subnet_group",
      nameOf("aws_dax_subnet_group"),
    ),
    block(
      "resource",
      [
        ...args({ name }),
        ...[...cacheParameters(dax)].map(([parameter, value]) =>
          block("parameters", args({ name: parameter, value })),
        ),
      ],
      "aws_dax_parameter_group",
      nameOf("aws_dax_parameter_group"),
    ),
    {
      ...block(
        "resource",
        [
          ...args({
            cluster_name: name,
            node_type: dax.node,
            replication_factor: dax.nodes,
            iam_role_arn: expression(`aws_iam_role.${role}.arn`),
            subnet_group_name: expression(`${refOf("aws_dax_subnet_group")}.name`),
            parameter_group_name: expression(`${refOf("aws_dax_parameter_group")}.name`),
            security_group_ids: expression("var.dax_security_group_ids"),
            cluster_endpoint_encryption_type: "TLS",
            tags: expression("local.tags"),
          }),
          block("server_side_encryption", args({ enabled: true })),
          // Without it the first nodes could not read what they are asked for.
          ...args({ depends_on: [expression(`aws_iam_role_policy.${role}`)] }),
        ],
        "aws_dax_cluster",
        nameOf("aws_dax_cluster"),
      ),
      comment: `The cache in front of ${table.name}`,
    },
  ];
}

/** Small letters, digits and single hyphens, a letter first. */
function clusterWord(table: string): string {
  const plain = plainName(table, 255).toLowerCase().replaceAll("_", "-").replaceAll(/-+/g, "-");
  const word = plain.slice(0, wordMax).replaceAll(/^-+|-+$/g, "");
  return /^[a-z]/.test(word) ? word : `t${word}`.slice(0, wordMax);
}

function all(table: string): string {
  return `\${var.project}-\${var.environment}-\${var.table_prefix}${table}`;
}

/** The tables and all their indexes. */
function listOf(names: TerraformNames, table: TableDescription["table"]): string {
  const whole = `aws_dynamodb_table.${names.table(table)}`;
  if (table.periods === undefined) return `[${whole}.arn, "\${${whole}.arn}/index/*"]`;
  return `flatten([for one in ${whole} : [one.arn, "\${one.arn}/index/*"]])`;
}

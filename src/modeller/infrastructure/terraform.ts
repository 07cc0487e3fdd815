import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import type { Infrastructure } from "./describe.ts";
import { args, type Block, block, expression, hclFile } from "./hcl.ts";
import { alarmBlocks } from "./terraform-alarms.ts";
import { backupBlocks } from "./terraform-backups.ts";
import { cacheBlocks } from "./terraform-cache.ts";
import { consumerBlocks } from "./terraform-consumers.ts";
import { indexBlocks } from "./terraform-index.ts";
import { TerraformNames } from "./terraform-names.ts";
import { outputBlocks } from "./terraform-outputs.ts";
import { policyBlocks } from "./terraform-policies.ts";
import { scalingBlocks, writePolicies } from "./terraform-scaling.ts";
import { scheduleBlocks } from "./terraform-schedules.ts";
import { replicaBlocks, tableBlock } from "./terraform-table.ts";
import { variableBlocks } from "./terraform-variables.ts";

/** The files of a Terraform module. */
export function terraformFiles(infrastructure: Infrastructure): readonly OutputFile[] {
  const names = new TerraformNames(infrastructure);
  const { model, tables, missing } = infrastructure;
  const header = generatedFrom(model);
  const file = (path: string, blocks: readonly Block[], notes: readonly string[] = []) =>
    blocks.length === 0 ? [] : [{ path, text: hclFile([header, ...notes], blocks) }];
  const ofTables = (path: string, of: (one: (typeof tables)[number]) => readonly Block[]) =>
    file(path, tables.flatMap(of));
  return [
    ...file("versions.tf", [versions]),
    ...file("variables.tf", variableBlocks(infrastructure, names)),
    ...file(
      "tables.tf",
      [
        localTags,
        ...keyData(infrastructure, names),
        ...tables.flatMap((one) => [
          tableBlock(one, names),
          ...indexBlocks(one, names),
          ...replicaBlocks(one, names, writePolicies(one, names)),
        ]),
      ],
      missing,
    ),
    ...ofTables("scaling.tf", (one) => scalingBlocks(one, names)),
    ...ofTables("consumers.tf", (one) => consumerBlocks(one, names)),
    ...ofTables("schedules.tf", (one) => scheduleBlocks(one, names)),
    ...ofTables("caches.tf", (one) => cacheBlocks(one, names)),
    ...file("backups.tf", backupBlocks(infrastructure, names)),
    ...ofTables("alarms.tf", (one) => alarmBlocks(one, names)),
    ...file("policies.tf", policyBlocks(infrastructure, names)),
    ...file("outputs.tf", outputBlocks(infrastructure, names)),
  ];
}

/**
 * From 6.37 on, indexes with `key_schema` can be changed without losing others, and from 6.44 on an index can be a
 * resource of its own.
 */
const versions = block("terraform", [
  ...args({ required_version: ">= 1.5.0" }),
  block(
    "required_providers",
    args({
      aws: new Map([
        ["source", "hashicorp/aws"],
        ["version", ">= 6.44.0, < 7.0.0"],
      ]),
    }),
  ),
]);

const localTags = block(
  "locals",
  args({
    tags: expression("merge({ Project = var.project, Environment = var.environment }, var.tags)"),
  }),
);

function keyData({ tables }: Infrastructure, names: TerraformNames): readonly Block[] {
  return tables.flatMap(({ table }) =>
    typeof table.encryption === "string"
      ? []
      : [block("data", args({ key_id: table.encryption.key }), "aws_kms_key", names.table(table))],
  );
}

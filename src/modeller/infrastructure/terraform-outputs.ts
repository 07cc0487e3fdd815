import type { Infrastructure, TableDescription } from "./describe.ts";
import { args, type Block, block, expression, type Value } from "./hcl.ts";
import type { TerraformNames } from "./terraform-names.ts";

/** What others need to use what was made. */
export function outputBlocks(
  infrastructure: Infrastructure,
  names: TerraformNames,
): readonly Block[] {
  return [
    ...infrastructure.tables.flatMap((one) => ofTable(one, names)),
    ...infrastructure.policies.map(({ name, about }) =>
      output(
        names.outputs.of("access", ...name, "policy", "arn"),
        about,
        expression(`${names.ref("aws_iam_policy", "access", ...name)}.arn`),
      ),
    ),
  ];
}

function ofTable(
  { table, now, consumers }: TableDescription,
  names: TerraformNames,
): readonly Block[] {
  const resource = `aws_dynamodb_table.${names.table(table)}`;
  const of = (attribute: string, what: string): Block =>
    output(
      names.outputs.of(table.name, attribute),
      table.periods === undefined
        ? `${what} of ${table.name}`
        : `${what} of each table of ${table.name}, by its period`,
      table.periods === undefined
        ? expression(`${resource}.${attribute}`)
        : expression(`{ for period, table in ${resource} : period => table.${attribute} }`),
    );
  return [
    of("name", "The name"),
    of("arn", "The ARN"),
    ...(now.create.StreamSpecification === undefined
      ? []
      : [of("stream_arn", "The ARN of the stream")]),
    ...(table.dax === undefined
      ? []
      : [
          output(
            names.outputs.of(table.name, "dax", "endpoint"),
            `Where clients find the cache in front of ${table.name}`,
            expression(`"daxs://\${${names.ref("aws_dax_cluster", table.name)}.cluster_address}"`),
          ),
        ]),
    ...consumers.flatMap(({ name, givesUp }) => [
      output(
        names.outputs.of(name, "read", "stream", "policy", "arn"),
        `What the role of ${name} needs to read the stream of ${table.name}`,
        expression(`${names.ref("aws_iam_policy", "read stream", table.name, name)}.arn`),
      ),
      ...(givesUp
        ? [
            output(
              names.outputs.of(name, "failed", "queue", "url"),
              `Where the changes are told that ${name} gave up`,
              expression(`${names.ref("aws_sqs_queue", table.name, name)}.url`),
            ),
          ]
        : []),
    ]),
  ];
}

function output(name: string, description: string, value: Value): Block {
  return block("output", args({ description, value }), name);
}

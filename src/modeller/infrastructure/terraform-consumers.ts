import { type Consumer, queueSeconds, streamActions } from "./consumers.ts";
import type { TableDescription } from "./describe.ts";
import { args, type Block, block, expression, type Value } from "./hcl.ts";
import { plainName } from "./short-name.ts";
import { each, named, namePrefix, type TerraformNames } from "./terraform-names.ts";
import { keyStatement } from "./terraform-policies.ts";
import { allow, document } from "./terraform-roles.ts";

const queuePrefixMax = 54;
const wordsMax = 40;

/** What connects functions with streams: what their roles need, a queue for what fails, the mapping. */
export function consumerBlocks(one: TableDescription, names: TerraformNames): readonly Block[] {
  return one.consumers.flatMap((consumer) => [
    policyBlock(one, consumer, names),
    attachmentBlock(one, consumer, names),
    ...(consumer.givesUp ? [queueBlock(one, consumer, names)] : []),
    mappingBlock(one, consumer, names),
  ]);
}

function policyBlock(
  { table }: TableDescription,
  consumer: Consumer,
  names: TerraformNames,
): Block {
  const { name, givesUp } = consumer;
  const type = "aws_iam_policy";
  const streams =
    table.periods === undefined
      ? expression(`${names.tableRef(table)}.stream_arn`)
      : expression(`[for one in aws_dynamodb_table.${names.table(table)} : one.stream_arn]`);
  const statements: readonly Value[] = [
    allow(streamActions, streams),
    // There is no table that listing could be bound to.
    allow(["dynamodb:ListStreams"], "*"),
    ...(givesUp
      ? [
          allow(
            ["sqs:SendMessage"],
            expression(`${names.ref("aws_sqs_queue", table.name, name)}.arn`),
          ),
        ]
      : []),
    ...(typeof table.encryption === "object" ? [keyStatement(table, ["kms:Decrypt"], names)] : []),
  ];
  return {
    ...block(
      "resource",
      args({
        name_prefix: expression(`"${named(`read-stream-${plainName(name, wordsMax)}-`)}"`),
        tags: expression("local.tags"),
        policy: document(statements),
      }),
      type,
      names.resource(type, "read stream", table.name, name),
    ),
    comment: `What the role of the function ${name} needs`,
  };
}

function attachmentBlock(
  { table }: TableDescription,
  { name }: Consumer,
  names: TerraformNames,
): Block {
  const type = "aws_iam_role_policy_attachment";
  const role = `var.${names.roleVariable(table, name)}`;
  return block(
    "resource",
    args({
      count: expression(`${role} == null ? 0 : 1`),
      role: expression(role),
      policy_arn: expression(`${names.ref("aws_iam_policy", "read stream", table.name, name)}.arn`),
    }),
    type,
    names.resource(type, table.name, name),
  );
}

function queueBlock({ table }: TableDescription, { name }: Consumer, names: TerraformNames): Block {
  const type = "aws_sqs_queue";
  return {
    ...block(
      "resource",
      args({
        name_prefix: namePrefix(`failed-${plainName(name, wordsMax)}`, queuePrefixMax),
        message_retention_seconds: queueSeconds,
        sqs_managed_sse_enabled: true,
        tags: expression("local.tags"),
      }),
      type,
      names.resource(type, table.name, name),
    ),
    comment: `Where the changes are that ${name} gave up; the stream holds them for a day`,
  };
}

function mappingBlock(one: TableDescription, consumer: Consumer, names: TerraformNames): Block {
  const { table } = one;
  const { name, purpose, filter, givesUp } = consumer;
  const type = "aws_lambda_event_source_mapping";
  const queue = names.ref("aws_sqs_queue", table.name, name);
  return {
    ...block(
      "resource",
      [
        ...each(one, names),
        ...args({
          event_source_arn: expression(`${names.tableRef(table)}.stream_arn`),
          function_name: expression(`var.${names.functionVariable(table, name)}`),
          starting_position: consumer.start,
          batch_size: consumer.batch,
          maximum_batching_window_in_seconds: consumer.windowSeconds,
          parallelization_factor: consumer.parallel,
          bisect_batch_on_function_error: consumer.bisect,
          maximum_retry_attempts: consumer.retries,
          maximum_record_age_in_seconds: consumer.maxAgeSeconds,
          function_response_types: consumer.reportItemFailures
            ? ["ReportBatchItemFailures"]
            : undefined,
          tags: expression("local.tags"),
        }),
        ...(filter === undefined
          ? []
          : [block("filter_criteria", [block("filter", args({ pattern: filter }))])]),
        ...(givesUp
          ? [
              block("destination_config", [
                block("on_failure", args({ destination_arn: expression(`${queue}.arn`) })),
              ]),
            ]
          : []),
        ...args({
          depends_on: [expression(names.ref("aws_iam_role_policy_attachment", table.name, name))],
        }),
      ],
      type,
      names.resource(type, table.name, name),
    ),
    ...(purpose !== undefined && { comment: purpose }),
  };
}

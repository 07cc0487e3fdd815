import type { Table } from "../../model/design.ts";
import {
  allow,
  attribute,
  document,
  ifGiven,
  none,
  ref,
  type TemplateMaker,
} from "./cloudformation-maker.ts";
import { describedAs, keyStatement } from "./cloudformation-policies.ts";
import { type Consumer, queueSeconds, streamActions } from "./consumers.ts";
import type { TableDescription } from "./describe.ts";
import * as patterns from "./parameter-patterns.ts";
import type { Data } from "./yaml.ts";

/** The parameter that says which function a consumer is. */
export function functionParameter(maker: TemplateMaker, table: Table, name: string): string {
  return maker.parameter(
    [name, "FunctionArn"],
    `The function that takes the changes of ${table.name} as ${name}`,
    { of: table, pattern: patterns.functionArn },
  );
}

/** The queue that is told what a consumer gave up. */
export function queueName(maker: TemplateMaker, table: Table, consumer: string): string {
  return maker.name(table.name, consumer, "failed");
}

/** What connects functions with streams: what their roles need, a queue for what fails, the mapping. */
export function addConsumers(maker: TemplateMaker, { table, consumers }: TableDescription): void {
  for (const consumer of consumers) {
    functionParameter(maker, table, consumer.name);
    const policy = addPolicy(maker, table, consumer);
    if (consumer.givesUp) addQueue(maker, table, consumer);
    addMapping(maker, table, consumer, policy);
  }
}

function addPolicy(maker: TemplateMaker, table: Table, { name, givesUp }: Consumer): string {
  const role = maker.parameter(
    [name, "FunctionRole"],
    `The name of the role of the function ${name}, which is then allowed to read the stream of ${table.name}; or none, and attach the policy yourself`,
    { of: table, otherwise: none },
  );
  const id = maker.add(maker.name(table.name, name, "access"), {
    Type: "AWS::IAM::ManagedPolicy",
    Properties: {
      Description: describedAs(`What the role of the function ${name} needs`),
      Roles: ifGiven(maker.isGiven(role), ref(role)),
      PolicyDocument: document([
        allow(streamActions, attribute(maker.table(table), "StreamArn")),
        // There is no table that listing could be bound to.
        allow(["dynamodb:ListStreams"], "*"),
        ...(givesUp
          ? [allow(["sqs:SendMessage"], attribute(queueName(maker, table, name), "Arn"))]
          : []),
        ...(typeof table.encryption === "object"
          ? [keyStatement(maker, table, table.encryption.key, ["kms:Decrypt"])]
          : []),
      ]),
    },
  });
  const about = `What the role of ${name} needs to read the stream of ${table.name}`;
  maker.output([name, "ReadStreamPolicyArn"], about, ref(id));
  return id;
}

function addQueue(maker: TemplateMaker, table: Table, { name }: Consumer): void {
  const id = maker.add(queueName(maker, table, name), {
    Type: "AWS::SQS::Queue",
    Properties: { MessageRetentionPeriod: queueSeconds, SqsManagedSseEnabled: true },
  });
  maker.output(
    [name, "FailedQueueUrl"],
    `Where the changes are told that ${name} gave up`,
    ref(id),
  );
}

function addMapping(maker: TemplateMaker, table: Table, consumer: Consumer, policy: string): void {
  const { name, filter } = consumer;
  const queue: Data = attribute(queueName(maker, table, name), "Arn");
  const mapping = {
    Type: "AWS::Lambda::EventSourceMapping",
    DependsOn: [policy],
    Properties: {
      EventSourceArn: attribute(maker.table(table), "StreamArn"),
      FunctionName: ref(functionParameter(maker, table, name)),
      StartingPosition: consumer.start,
      BatchSize: consumer.batch,
      MaximumBatchingWindowInSeconds: consumer.windowSeconds,
      ParallelizationFactor: consumer.parallel,
      BisectBatchOnFunctionError: consumer.bisect,
      ...(consumer.retries !== undefined && { MaximumRetryAttempts: consumer.retries }),
      ...(consumer.maxAgeSeconds !== undefined && {
        MaximumRecordAgeInSeconds: consumer.maxAgeSeconds,
      }),
      ...(consumer.reportItemFailures && { FunctionResponseTypes: ["ReportBatchItemFailures"] }),
      ...(filter !== undefined && { FilterCriteria: { Filters: [{ Pattern: filter }] } }),
      ...(consumer.givesUp && { DestinationConfig: { OnFailure: { Destination: queue } } }),
    },
  };
  maker.add(maker.name(table.name, name, "mapping"), mapping, consumer.purpose);
}

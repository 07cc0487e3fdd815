import type { Wanted } from "./engine-tables.test-support.ts";

/** A table of a template, as far as creating it goes. */
export interface TableResource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

export function tableResources(template: {
  readonly Resources: Record<string, TableResource>;
}): readonly TableResource[] {
  return Object.values(template.Resources).filter(({ Type }) =>
    /^AWS::DynamoDB::(Global)?Table$/.test(Type),
  );
}

/** The requests that CloudFormation sends for a table, in the Region of the stack. */
export function createRequestOf({ Type, Properties: given }: TableResource): Wanted {
  const { TableName, StreamSpecification: stream, SSESpecification: sse, ...rest } = given;
  const properties = Type.endsWith("GlobalTable") ? withReplica(rest) : rest;
  const {
    Tags,
    TimeToLiveSpecification,
    PointInTimeRecoverySpecification,
    TableClass: tableClass,
    SSESpecification: ofRegion,
    ...create
  } = properties;
  const ttl = TimeToLiveSpecification as { readonly AttributeName: string } | undefined;
  const request = {
    ...create,
    // Neither a prefix nor a period is given.
    TableName: (TableName as { "Fn::Sub": string })["Fn::Sub"].replaceAll(/-?\$\{\w+\}/g, ""),
    ...(tableClass !== "STANDARD" && { TableClass: tableClass }),
    ...(stream !== undefined && { StreamSpecification: { StreamEnabled: true, ...stream } }),
    // A global table says that there is a key once, and for each Region which.
    ...(sse !== undefined && {
      SSESpecification: encryption({ ...(sse as Part), ...(ofRegion as Part | undefined) }),
    }),
  };
  return { create: request, ttl: ttl?.AttributeName };
}

function encryption({ SSEEnabled, ...rest }: Record<string, unknown>): object {
  return { Enabled: SSEEnabled, ...rest };
}

type Part = Record<string, unknown>;

/** What a global table says of its first Region, said as of a table. */
function withReplica({ Replicas, GlobalSecondaryIndexes: indexes, ...shared }: Part): Part {
  const [{ Region, GlobalSecondaryIndexes: ofIndexes = [], ...own }] = Replicas as [Part];
  return {
    ...throughput(shared, own),
    ...(indexes !== undefined && {
      GlobalSecondaryIndexes: (indexes as Part[]).map((index) => {
        const same = (ofIndexes as Part[]).find(({ IndexName }) => IndexName === index.IndexName);
        return throughput(index, same ?? {});
      }),
    }),
  };
}

function throughput(
  {
    WriteProvisionedThroughputSettings: write,
    WriteOnDemandThroughputSettings: most,
    ...rest
  }: Part,
  {
    ReadProvisionedThroughputSettings: read,
    ReadOnDemandThroughputSettings: mostRead,
    ...own
  }: Part,
): Part {
  const seed = (write as { WriteCapacityAutoScalingSettings: { SeedCapacity: number } } | undefined)
    ?.WriteCapacityAutoScalingSettings.SeedCapacity;
  const reads = read as
    | { ReadCapacityUnits?: number; ReadCapacityAutoScalingSettings?: { SeedCapacity: number } }
    | undefined;
  return {
    ...rest,
    ...own,
    ...(seed !== undefined && {
      ProvisionedThroughput: {
        ReadCapacityUnits:
          reads?.ReadCapacityUnits ?? reads?.ReadCapacityAutoScalingSettings?.SeedCapacity,
        WriteCapacityUnits: seed,
      },
    }),
    ...((most !== undefined || mostRead !== undefined) && {
      OnDemandThroughput: { ...(mostRead as Part), ...(most as Part) },
    }),
  };
}

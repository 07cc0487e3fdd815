import type { Infrastructure } from "../../src/modeller/infrastructure/describe.ts";
import { requestsFor } from "../../src/modeller/requests/table-requests.ts";
import { openWorkbench } from "../../src/workbench/workbench.ts";

const caller = { account: "000000000000", region: "us-east-1" };

export interface Wanted {
  readonly create: object;
  readonly ttl: unknown;
}

/** The tables of a design as `keywright start` makes them; with replicas their streams have both images. */
export function designedTables({ tables }: Infrastructure): readonly Wanted[] {
  return tables.map(({ table }) => {
    const { create, ttl } = requestsFor(table, undefined, table);
    const both = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
    return {
      create: table.replicas.length === 0 ? create : { ...create, StreamSpecification: both },
      ttl,
    };
  });
}

/** Makes tables on the engine and says what it says of them, by name, without what is drawn or timed. */
export async function tablesFrom(wanted: readonly Wanted[]): Promise<readonly unknown[]> {
  const workbench = await openWorkbench({ transitionMs: 0 });
  const ask = async (operation: string, request: object): Promise<unknown> =>
    await workbench.execute(operation, request, caller);
  try {
    const made: Description[] = [];
    for (const { create, ttl } of wanted) {
      const answer = (await ask("CreateTable", create)) as { TableDescription: Description };
      const { TableId, CreationDateTime, LatestStreamArn, LatestStreamLabel, ...table } =
        answer.TableDescription;
      const { AttributeDefinitions, TableName } = table;
      if (ttl !== undefined) {
        const specification = { AttributeName: ttl, Enabled: true };
        await ask("UpdateTimeToLive", { TableName, TimeToLiveSpecification: specification });
      }
      const plain = JSON.parse(JSON.stringify(table, withoutTimes)) as Description;
      const indexes = plain.GlobalSecondaryIndexes ?? [];
      made.push({
        ...plain,
        // Their order says nothing.
        AttributeDefinitions: AttributeDefinitions.toSorted(byText),
        GlobalSecondaryIndexes: indexes.toSorted(byName),
        expiry: await ask("DescribeTimeToLive", { TableName }),
      });
    }
    return made.toSorted((a, b) => (a.TableName < b.TableName ? -1 : 1));
  } finally {
    await workbench.close();
  }
}

interface Description {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly object[];
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string }[];
  readonly [member: string]: unknown;
}

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function byName(a: { readonly IndexName: string }, b: { readonly IndexName: string }): number {
  return a.IndexName < b.IndexName ? -1 : 1;
}

function withoutTimes(name: string, value: unknown): unknown {
  return /DateTime$/.test(name) ? undefined : value;
}

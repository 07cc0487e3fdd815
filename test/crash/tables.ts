/** The tables that the writers use, and how their items are named in the ledger. */
export const mainTable = "crash-main";
/** Made and deleted again and again. */
export const visitingTable = "crash-visiting";
/** Added to the main table and deleted again and again. */
export const lateIndex = "by-shade";

export type Item = Readonly<Record<string, { readonly S: string } | { readonly N: string }>>;

export const mainKey = (pk: string, sk: string): string => `${mainTable}/${pk}/${sk}`;
export const visitingKey = (pk: string): string => `${visitingTable}/${pk}`;
export const tableKey = `table ${visitingTable}`;
export const indexKey = `index ${lateIndex}`;

/** What a request writes: no two write the same under the same key. */
export const writeName = (key: string, text: string): string => `${key} ${text}`;

/** The same text for the same item, in whatever order its attributes are. */
export function textOf(item: Item): string {
  return JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const keyOf = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: "HASH" },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: "RANGE" }]),
];

export const createMain = {
  TableName: mainTable,
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: keyOf("pk", "sk"),
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
    { AttributeName: "kind", AttributeType: "S" },
    { AttributeName: "rank", AttributeType: "N" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-kind",
      KeySchema: keyOf("kind", "rank"),
      Projection: { ProjectionType: "ALL" },
    },
  ],
  LocalSecondaryIndexes: [
    { IndexName: "by-rank", KeySchema: keyOf("pk", "rank"), Projection: { ProjectionType: "ALL" } },
  ],
};

/** The attributes that an item needs to be in an index. */
export const indexAttributes: Readonly<Record<string, readonly string[]>> = {
  "by-kind": ["kind", "rank"],
  "by-rank": ["rank"],
  [lateIndex]: ["shade"],
};

export const createVisiting = {
  TableName: visitingTable,
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: keyOf("pk"),
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
};

export const addLate = {
  TableName: mainTable,
  AttributeDefinitions: [{ AttributeName: "shade", AttributeType: "S" }],
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName: lateIndex,
        KeySchema: keyOf("shade"),
        Projection: { ProjectionType: "ALL" },
      },
    },
  ],
};

export const dropLate = {
  TableName: mainTable,
  GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: lateIndex } }],
};

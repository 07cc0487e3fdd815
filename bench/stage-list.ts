import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import { defaultDialect } from "../src/api/dialect.ts";
import { type GetItemRequest, getItemShape } from "../src/api/requests/get-item.ts";
import { type PutItemRequest, putItemShape } from "../src/api/requests/put-item.ts";
import { RawJson, responseBytes } from "../src/api/response-json.ts";
import { checkConstraints } from "../src/api/shape-constraints.ts";
import { checkTypes } from "../src/api/shape-types.ts";
import { checkItem } from "../src/api/values.ts";
import type { Database } from "../src/engine/database.ts";
import type { TableDescriptor } from "../src/engine/descriptor.ts";
import { checkIndexKeys, checkItemKey, checkKey } from "../src/engine/key-checks.ts";
import { itemAddress } from "../src/engine/keys.ts";
import { versionKey } from "../src/engine/layout.ts";
import { StoredItem } from "../src/engine/stored-item.ts";
import type { WriteAction } from "../src/engine/write.ts";
import { itemSize } from "../src/item/size.ts";
import { compileWriteCondition } from "../src/operations/condition.ts";
import { enveloped, valueLayer } from "../src/operations/envelope.ts";
import { compileParameters } from "../src/operations/parameters.ts";
import { answer } from "../src/server/answer.ts";
import type { WireRequest } from "../src/server/protocol.ts";
import { requestId } from "../src/server/request-id.ts";
import { SignatureReader } from "../src/server/signature.ts";
import { operationOf } from "../src/server/target.ts";

/** A part of a request's way, as a call of the product's own functions. */
export interface Stage {
  readonly name: string;
  /** Measured apart for each store, with many under way at a time. */
  readonly store?: boolean;
  /** The stage named holds this one: what is left of it is shown. */
  readonly within?: string;
  readonly run: (index: number) => unknown;
}

export interface StageSetting {
  readonly database: Database;
  readonly namespace: string;
  readonly table: TableDescriptor;
  /** Requests of one operation as they come off the wire. */
  readonly requests: readonly WireRequest[];
}

export const stageNames = {
  wire: "request id, target, signature",
  parse: "UTF-8 check and JSON.parse",
  types: "type check",
  constraints: "constraints",
  values: "values and expressions",
  size: "item size",
  stored: "stored form (JSON.stringify)",
  table: "table look-up",
  keyCheck: "key checks",
  address: "key encoding and hash",
  read: "store read",
  commit: "store commit",
  decision: "plan and decision",
  assembly: "response assembly",
  crc: "CRC32",
  head: "answer headers",
} as const;

const dialect = defaultDialect;

function wireStages({ requests }: StageSetting): Stage[] {
  const signatures = new SignatureReader();
  const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
  return [
    {
      name: stageNames.wire,
      run: (i) => {
        const { headers, url } = at(requests, i);
        requestId();
        operationOf(headers["x-amz-target"] as string);
        return signatures.read(headers, url);
      },
    },
    {
      name: stageNames.parse,
      run: (i) => {
        const { body } = at(requests, i);
        return isUtf8(body) && JSON.parse(body.toString("utf8"));
      },
    },
  ];
}

function answerStages(result: (index: number) => object): Stage[] {
  const bodies = Array.from({ length: 256 }, (_, i) => responseBytes(result(i)));
  const id = requestId();
  return [
    { name: stageNames.assembly, run: (i) => responseBytes(result(i)) },
    { name: stageNames.crc, run: (i) => crc32(bodies[i & 255] as Buffer) },
    {
      name: stageNames.head,
      within: stageNames.crc,
      run: (i) => answer(200, id, bodies[i & 255] as Buffer),
    },
  ];
}

function parsed<T>({ requests }: StageSetting): T[] {
  return requests.map(({ body }) => JSON.parse(body.toString("utf8")) as T);
}

export function getItemStages(setting: StageSetting): Stage[] {
  const { database, namespace, table } = setting;
  const bodies = parsed<GetItemRequest>(setting);
  const addresses = bodies.map(({ Key }) => itemAddress(table, Key as never).key);
  const mask = bodies.length;
  const body = (i: number): GetItemRequest => bodies[i % mask] as GetItemRequest;
  const layer = valueLayer(dialect, "GetItem");
  const found = addresses.map((key) => database.get(key) as StoredItem);
  return [
    ...wireStages(setting),
    { name: stageNames.types, run: (i) => checkTypes(getItemShape, body(i)) },
    {
      name: stageNames.constraints,
      run: (i) => checkConstraints("GetItem", getItemShape, body(i), dialect),
    },
    {
      name: stageNames.values,
      run: (i) => {
        const request = body(i);
        return compileParameters("GetItem", request, layer, () => checkItem(request.Key, layer));
      },
    },
    { name: stageNames.table, run: (i) => database.table(namespace, body(i).TableName) },
    { name: stageNames.keyCheck, run: (i) => checkKey(table, body(i).Key) },
    { name: stageNames.address, run: (i) => itemAddress(table, body(i).Key as never) },
    {
      name: stageNames.read,
      store: true,
      run: (i) => database.get(addresses[i % mask] as Uint8Array),
    },
    ...answerStages((i) => ({ Item: new RawJson((found[i % mask] as StoredItem).json) })),
  ];
}

export function putItemStages(setting: StageSetting): Stage[] {
  const { database, namespace, table } = setting;
  const { store } = database;
  const bodies = parsed<PutItemRequest>(setting);
  const mask = bodies.length;
  const body = (i: number): PutItemRequest => bodies[i % mask] as PutItemRequest;
  const layer = valueLayer(dialect, "PutItem");
  const actions = bodies.map(({ Item }): WriteAction => {
    const item = checkItem(Item, layer);
    const address = itemAddress(table, item);
    return { kind: "put", table, address, item: StoredItem.make(item, itemSize(item)) };
  });
  const action = (i: number) => actions[i % mask] as Extract<WriteAction, { kind: "put" }>;
  const version = versionKey(table.id);
  return [
    ...wireStages(setting),
    { name: stageNames.types, run: (i) => checkTypes(putItemShape, body(i)) },
    {
      name: stageNames.constraints,
      run: (i) => checkConstraints("PutItem", putItemShape, body(i), dialect),
    },
    {
      name: stageNames.values,
      run: (i) => {
        const request = body(i);
        return enveloped(dialect, request, () =>
          compileWriteCondition("PutItem", request, layer, () => checkItem(request.Item, layer)),
        );
      },
    },
    { name: stageNames.size, run: (i) => itemSize(action(i).item.item) },
    { name: stageNames.stored, run: (i) => StoredItem.make(action(i).item.item, 1_024) },
    { name: stageNames.table, run: (i) => database.table(namespace, body(i).TableName) },
    {
      name: stageNames.keyCheck,
      run: (i) => {
        checkItemKey(table, body(i).Item);
        checkIndexKeys(table, body(i).Item);
      },
    },
    { name: stageNames.address, run: (i) => itemAddress(table, action(i).item.item) },
    {
      name: stageNames.commit,
      store: true,
      run: (i) => {
        const { address, item } = action(i);
        const writes = [{ kind: "put" as const, key: address.key, value: item.bytes }];
        return store.commit([version, address.key], () => ({ writes, result: undefined }));
      },
    },
    {
      name: stageNames.decision,
      store: true,
      within: stageNames.commit,
      run: (i) => database.write(() => [action(i)], { atomic: true }),
    },
    ...answerStages(() => ({})),
  ];
}

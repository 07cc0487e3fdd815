import { itemTooLarge } from "../api/errors/item.ts";
import { itemSizeBytesMax } from "../api/limits.ts";
import { requiredAttributes } from "../api/requests/shared.ts";
import { struct } from "../api/shape.ts";
import { checkTypes } from "../api/shape-types.ts";
import { checkItem } from "../api/values.ts";
import { keyAttributes, type TableDescriptor } from "../engine/descriptor.ts";
import { checkIndexKeys, checkItemKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { StoredItem } from "../engine/stored-item.ts";
import type { WriteAction } from "../engine/write.ts";
import { CsvRecordReader } from "../formats/csv-records.ts";
import { IonRecordReader } from "../formats/ion-records.ts";
import { JsonRecordReader } from "../formats/json-records.ts";
import type { RecordReader } from "../formats/record-reader.ts";
import type { KeyType } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import type { ImportRecord } from "./transfer-records.ts";

const putShape = struct<{ readonly Item: object }>("PutItemInput", { Item: requiredAttributes });

/** What was read from a file as a write of the table, checked as PutItem checks it; throws ServiceError. */
export function putOf(table: TableDescriptor, raw: unknown): Extract<WriteAction, { kind: "put" }> {
  const { Item } = checkTypes(putShape, { Item: raw });
  const item = checkItem(Item as Record<string, object>, "current");
  const size = itemSize(item);
  if (size > itemSizeBytesMax) throw itemTooLarge();
  checkItemKey(table, item);
  checkIndexKeys(table, item);
  return {
    kind: "put",
    table,
    address: itemAddress(table, item),
    item: StoredItem.make(item, size),
  };
}

export function readerFor({ format, csv, table }: ImportRecord): RecordReader {
  if (format === "ION") return new IonRecordReader();
  if (format === "DYNAMODB_JSON") return new JsonRecordReader();
  const types = new Map<string, KeyType>();
  for (const { key } of [table, ...table.indexes]) {
    for (const { name, type } of keyAttributes(key)) types.set(name, type);
  }
  return new CsvRecordReader({ ...csv, types });
}

import type { Item } from "../item/attribute-value.ts";
import { decimal, ionOfItem } from "./ion-text.ts";

export type ExportFormat = "DYNAMODB_JSON" | "ION";

/** What an incremental export tells of an item: how it was and how it is, as far as it existed. */
export interface ItemChange {
  readonly keys: Item;
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
  /** When it was written last, in microseconds. */
  readonly writtenAt: number;
}

/** A line of a full export. */
export function itemLine(format: ExportFormat, item: Item): string {
  return format === "ION"
    ? `$ion_1_0 {Item:${ionOfItem(item)}}\n`
    : `{"Item":${JSON.stringify(item)}}\n`;
}

/** A line of an incremental export. What is around the images in Ion is taken from the service's documentation. */
export function changeLine(format: ExportFormat, change: ItemChange): string {
  const { keys, before, after, writtenAt } = change;
  if (format === "ION") {
    const parts = [
      `Keys:${ionOfItem(keys)}`,
      `Metadata:{WriteTimestampMicros:${decimal(String(writtenAt))}}`,
      ...(before === undefined ? [] : [`OldImage:${ionOfItem(before)}`]),
      ...(after === undefined ? [] : [`NewImage:${ionOfItem(after)}`]),
    ];
    return `$ion_1_0 {Record:{${parts.join(",")}}}\n`;
  }
  const record = {
    Metadata: { WriteTimestampMicros: { N: String(writtenAt) } },
    Keys: keys,
    ...(before !== undefined && { OldImage: before }),
    ...(after !== undefined && { NewImage: after }),
  };
  return `${JSON.stringify(record)}\n`;
}

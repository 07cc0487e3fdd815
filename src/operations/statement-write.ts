import { itemTooLarge } from "../api/errors/item.ts";
import type { ServiceError } from "../api/errors/service-error.ts";
import { duplicateItem, statementLeavesTooDeep } from "../api/errors/statement.ts";
import { nestedTooDeep } from "../api/errors/value.ts";
import { itemSizeBytesMax } from "../api/limits.ts";
import { RawJson } from "../api/response-json.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import { checkIndexKeys, checkItemKey, checkKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import { StoredItem } from "../engine/stored-item.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import { returnedAttributes } from "../expressions/update-returned.ts";
import type { Item } from "../item/attribute-value.ts";
import { itemSize } from "../item/size.ts";
import type { CompiledWrite } from "../partiql/operation.ts";
import { checkKeyPaths, conditionPaths } from "./parameters.ts";
import { checkUpdate } from "./update-item.ts";

/** The item to put, or the key of another write. */
export function itemOf(write: CompiledWrite): Item {
  return write.kind === "put" ? write.item : write.key;
}

/** The action that a write comes to, checked as the request that it stands for would be. */
export function actionOf(write: CompiledWrite, table: TableDescriptor): WriteAction {
  const { condition } = write;
  if (write.kind === "put") {
    const { item } = write;
    const size = itemSize(item);
    if (size > itemSizeBytesMax) throw itemTooLarge();
    checkItemKey(table, item);
    checkIndexKeys(table, item);
    const stored = StoredItem.make(item, size);
    return { kind: "put", table, address: itemAddress(table, item), condition, item: stored };
  }
  const { key } = write;
  checkKey(table, key);
  // The weight of the statement itself is not limited, unlike that of an UpdateExpression.
  if (write.kind === "update") checkUpdate(table, write.update, false);
  checkKeyPaths(table, conditionPaths(condition));
  const address = itemAddress(table, key);
  if (write.kind === "update") {
    return { kind: "update", table, address, condition, key, update: write.update };
  }
  return { kind: write.kind, table, address, condition };
}

/** What RETURNING asks for; nothing if there is nothing of it. */
export function returnedBy(
  write: CompiledWrite,
  { before, after }: WriteOutcome,
): RawJson | Item | undefined {
  if (write.kind !== "update" && write.kind !== "delete") return undefined;
  switch (write.returning) {
    case undefined:
      return undefined;
    case "ALL OLD":
      return before === undefined ? undefined : new RawJson(before.json);
    case "ALL NEW":
      return after === undefined ? undefined : new RawJson(after.json);
    default: {
      if (write.kind === "delete") return undefined;
      const mode = write.returning === "MODIFIED OLD" ? "UPDATED_OLD" : "UPDATED_NEW";
      return returnedAttributes(mode, write.update, before?.item, after?.item);
    }
  }
}

const tooDeep = nestedTooDeep().message;

/** The outcome with its refusal worded as it is of a statement. */
export function statementOutcome(write: CompiledWrite, outcome: WriteOutcome): WriteOutcome {
  const refusal = wordedRefusal(write, outcome);
  return refusal === undefined ? outcome : { ...outcome, refusal };
}

function wordedRefusal(
  write: CompiledWrite,
  { refusal, conditionFailed }: WriteOutcome,
): ServiceError | undefined {
  if (refusal === undefined) return undefined;
  if (conditionFailed === true && write.kind === "put") return duplicateItem();
  return refusal.message === tooDeep ? statementLeavesTooDeep() : undefined;
}

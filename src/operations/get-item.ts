import { type GetItemRequest, getItemShape } from "../api/requests/get-item.ts";
import { RawJson } from "../api/response-json.ts";
import { checkItem } from "../api/values.ts";
import { whenThere } from "../base/maybe-promise.ts";
import { TableUnits } from "../capacity/consumed.ts";
import { readUnits } from "../capacity/metering.ts";
import { checkKey } from "../engine/key-checks.ts";
import { itemAddress } from "../engine/keys.ts";
import type { StoredItem } from "../engine/stored-item.ts";
import { compileAttributesToGet } from "../expressions/legacy-read.ts";
import { project } from "../expressions/project.ts";
import type { Projection } from "../expressions/tree.ts";
import { valueLayer } from "./envelope.ts";
import type { Context, Operation } from "./operation.ts";
import { checkKeyPaths, compileParameters } from "./parameters.ts";
import { tableNameOf } from "./table-name.ts";

export const getItem: Operation<GetItemRequest> = {
  name: "GetItem",
  shape: getItemShape,
  // Without a promise where there is none: most requests of most applications are this one.
  run(context, request) {
    const projection = prepare(context, request);
    const { database } = context;
    const name = tableNameOf(context, request.TableName);
    return whenThere(database.table(context.namespace, name), (table) => {
      checkKey(table, request.Key);
      checkKeyPaths(table, projection?.paths);
      const { key } = itemAddress(table, request.Key);
      return whenThere(database.get(key), (stored) => {
        const size = stored === undefined ? 0 : stored.size;
        const units = readUnits(size, request.ConsistentRead === true);
        const { traffic } = context;
        traffic.read(context, "GetItem", table, undefined, key, request.Key, units);
        traffic.answered(context, "GetItem", table, 0, size);
        return answer(request, projection, stored, units);
      });
    });
  },
};

function answer(
  request: GetItemRequest,
  projection: Projection | undefined,
  stored: StoredItem | undefined,
  tableUnits: number,
): object {
  const answer: Record<string, unknown> = {};
  if (stored !== undefined) {
    answer.Item =
      projection === undefined ? new RawJson(stored.json) : project(projection, stored.item);
  }
  if (request.ReturnConsumedCapacity !== undefined) {
    const units = new TableUnits();
    units.table = tableUnits;
    answer.ConsumedCapacity = units.report(request.TableName, request.ReturnConsumedCapacity);
  }
  return answer;
}

function prepare(context: Context, request: GetItemRequest): Projection | undefined {
  const layer = valueLayer(context.dialect, "GetItem");
  const compiled = compileParameters("GetItem", request, layer, () => {
    checkItem(request.Key, layer);
    return request.AttributesToGet === undefined
      ? undefined
      : compileAttributesToGet(request.AttributesToGet);
  });
  return compiled.projection ?? compiled.before;
}

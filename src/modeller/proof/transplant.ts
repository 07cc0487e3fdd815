import type { Facts } from "../facts.ts";
import type { KeyCondition, PlannedRequest, ReadRequest } from "../plans/plan.ts";
import { structuresOf } from "../plans/structures.ts";
import type { StoredRecord } from "../records/record.ts";

/** The same requests on another design: records and key texts are its own, all else stays. */
export function transplant(
  requests: readonly PlannedRequest[],
  facts: Facts,
): readonly PlannedRequest[] {
  const recordOf = (record: StoredRecord): StoredRecord =>
    facts.records.find((one) => one.name === record.name && one.table.name === record.table.name) ??
    record;
  return requests.map((request): PlannedRequest => {
    if (request.kind === "write") {
      const actions = request.actions.map((one) => ({ ...one, record: recordOf(one.record) }));
      return { ...request, actions };
    }
    const record = recordOf(request.record);
    const structure = structuresOf(record).find(({ index }) => index?.name === request.index?.name);
    if (structure === undefined) return request;
    const conditions = (list: readonly KeyCondition[]): readonly KeyCondition[] =>
      list.map((condition) => {
        const made = [...structure.partition, ...structure.sort].find(
          ({ attribute }) => attribute.name === condition.attribute.name,
        );
        return made === undefined ? condition : { ...condition, text: made.text };
      });
    const moved: ReadRequest = {
      ...request,
      table: record.table,
      index: structure.index,
      record,
      together: request.together.map(recordOf),
      beside: request.beside.map(recordOf),
      partition: conditions(request.partition),
      sort: conditions(request.sort),
    };
    return moved;
  });
}

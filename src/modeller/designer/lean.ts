import type { Table } from "../../model/design.ts";
import type { Facts } from "../facts.ts";
import type { StoredRecord } from "../records/record.ts";

/** What follows from a model if nothing were in a table's items but attributes as they are. */
export function leanFacts(facts: Facts, table: Table): Facts {
  const records = facts.records.map((one) => lean(one, table));
  return facts.of(facts.model, records);
}

/** A record without what is only there to make up the table's key: in no layout are items and entries smaller. */
function lean(record: StoredRecord, table: Table): StoredRecord {
  if (record.table !== table) return record;
  const plain = (stored: StoredRecord["attributes"]): StoredRecord["attributes"] =>
    stored.filter(
      ({ content, membership }) =>
        content.kind !== "key" || content.text.native !== undefined || membership !== undefined,
    );
  return {
    ...record,
    attributes: plain(record.attributes),
    memberships: record.memberships.map((one) => ({ ...one, attributes: plain(one.attributes) })),
  };
}

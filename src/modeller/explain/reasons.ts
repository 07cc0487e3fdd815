import type { Facts } from "../facts.ts";
import { counted, listText, numberText, shareText } from "../lint/words.ts";
import { type Plan, type ReadRequest, structureName, type WriteRequest } from "../plans/plan.ts";
import { writeUnitsOf } from "../units/write-units.ts";
import { predicateText, waitsFor } from "./key-range.ts";

/** Why a pattern costs what it costs and not less, each as a sentence. */
export function reasonsOf(facts: Facts, plan: Plan): readonly string[] {
  const sentences = plan.requests.flatMap((request, i) =>
    request.kind === "read" ? readReasons(request, i) : writeReasons(facts, request),
  );
  return [...new Set([...sentences, ...plan.notes])];
}

/** Tables and indexes that were not taken, each with why. */
export function rejectedOf({ rejected }: Plan): readonly string[] {
  return [...new Set(rejected.map(({ structure, why }) => `${structure} ${why}.`))];
}

export function readReasons(request: ReadRequest, step: number): readonly string[] {
  const { operation, filter, expected, sortsInClient, fetches, times, consistent } = request;
  const sentences: string[] = [];
  const place = structureName(request.table, request.index);
  const evaluated = expected.evaluated.reduce((sum, { count }) => sum + count, 0);
  if (operation === "Scan") {
    sentences.push(`No key of ${place} answers it, so all of it is read.`);
  }
  if (filter.length > 0) {
    const lost = evaluated > 0 ? 1 - Math.min(1, expected.returned / evaluated) : 0;
    sentences.push(
      `A filter on ${listText(filter.map(predicateText))} comes after reading: ${shareText(lost)} of ${counted(Math.round(evaluated), "item")} is paid for and thrown away.`,
    );
  }
  if (request.beside.length > 0) {
    const names = listText(request.beside.map(({ name }) => name));
    sentences.push(`${names} lie in the same range, and are read too.`);
  }
  if (sortsInClient) {
    sentences.push("The key does not give the order, so all is read and sorted by the caller.");
  }
  if (fetches) {
    sentences.push(
      `${request.index?.name} lacks attributes that are asked for: each item is fetched from the table.`,
    );
  }
  if (step > 0 && request.index === undefined && waitsFor(request.bindings)) {
    sentences.push(
      `${counted(Math.round(expected.calls), "item")} of ${request.record.name} ${expected.calls === 1 ? "is" : "are"} read by key after the request before, which did not bring all attributes.`,
    );
  }
  for (const { why, count, text } of times) {
    if (why === "shards")
      sentences.push(
        `${text} are asked one by one, because the number is not known: ${numberText(count)} queries.`,
      );
    if (why === "span") sentences.push("Each unit of the span of time is a partition of its own.");
    if (why === "periods") sentences.push(`${text} are asked.`);
  }
  if (operation === "TransactGetItems") sentences.push("A transaction pays for reads twice.");
  else if (consistent) sentences.push("Strong consistency costs twice as much as eventual.");
  return sentences;
}

export function writeReasons(facts: Facts, request: WriteRequest): readonly string[] {
  const sentences: string[] = [];
  if (request.operation === "TransactWriteItems") {
    sentences.push(
      "A transaction pays for the table's part of writes twice, for index entries once.",
    );
  }
  for (const { action, table, indexes } of writeUnitsOf(facts, request)) {
    const { record, kind, count } = action;
    const size = facts.sizes.item(record)?.mean ?? 0;
    if (kind === "update" && size > 1_024) {
      sentences.push(
        `An update pays for the whole item: ${record.name} has ${numberText(size / 1_024)} KB.`,
      );
    }
    const own = indexes.reduce((sum, { units }) => sum + units, 0);
    if (own > 0 && count > 0) {
      const names = listText(indexes.map(({ membership }) => membership.index.name));
      sentences.push(
        `Entries of ${record.name} in ${names} add ${numberText(own)} to ${numberText(table)} write units.`,
      );
    }
  }
  return sentences;
}

import { counted } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const integrationsDetailed: Check = {
  id: "integrations-detailed",
  title: "It is said how data gets to the services beside DynamoDB",
  run(context) {
    const { design, wanted } = context;
    if (design === undefined) return notApplicable("There is no design yet.");
    const elsewhere = wanted.filter(({ status }) => status === "alternative");
    const blobs = context.tables.flatMap(({ placements }) =>
      [...placements.values()].flatMap(({ entity, elsewhere: out, path }) =>
        out.map((one) => ({ ...one, entity, path })),
      ),
    );
    const consumers = context.tables.flatMap((table) =>
      table.consumers.map((one, i) => ({ ...one, table, path: [...table.path, "consumers", i] })),
    );
    if (elsewhere.length + blobs.length + consumers.length === 0) {
      return notApplicable("Nothing is done beside DynamoDB.");
    }
    const findings = new Findings();
    for (const pattern of elsewhere) {
      const service = pattern.alternative?.service ?? "";
      const entry = design.services.find(({ name }) => name === service);
      const via = pattern.alternative?.via ?? entry?.via;
      if (via === undefined) {
        findings.open(
          pattern.path,
          `How does ${service} get what ${patternName(pattern).replace("P", "p")} needs? (via)`,
        );
      } else if (/stream/i.test(via) && !streams(context, pattern.actions[0]?.entity ?? "")) {
        findings.wrong(
          pattern.path,
          `${service} is fed by a stream, but no table with ${pattern.actions[0]?.entity} has a stream that somebody reads.`,
        );
      }
    }
    for (const { entity, attribute, service, pointer, path } of blobs) {
      if (pointer === undefined) {
        findings.open(
          path,
          `Where is it written which object of ${service} holds ${entity}.${attribute}? (pointer)`,
        );
      }
    }
    for (const { name, purpose, path, table } of consumers) {
      if (purpose === undefined) {
        findings.open(path, `What does ${name} do with the stream of ${table.name}? (purpose)`);
      }
    }
    findings.saw(
      `${counted(elsewhere.length, "pattern")} served by other services, ${counted(consumers.length, "reader")} of streams, ${counted(blobs.length, "attribute")} kept elsewhere.`,
    );
    return findings.outcome();
  },
};

/** Whether what happens to an entity comes out of a stream that has a reader. */
function streams({ tables }: CheckContext, entity: string): boolean {
  return tables.some(
    ({ placements, stream, consumers }) =>
      stream !== undefined &&
      consumers.length > 0 &&
      [...placements.values()].some(
        (one) => one.entity === entity || one.embeds.some((inner) => inner.entity === entity),
      ),
  );
}

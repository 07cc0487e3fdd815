import type { Entity } from "../../../model/requirements.ts";
import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings } from "../check.ts";
import { type EntityUse, usesOf } from "../uses.ts";

export const readWritePairs: Check = {
  id: "read-write-pairs",
  title:
    "What is read is written by somebody, and what is written is read, unless that was declined",
  run(context) {
    const findings = new Findings();
    const uses = usesOf(context);
    let pairs = 0;
    const declined: string[] = [];
    for (const entity of context.entities) {
      const use = uses.get(entity.name) as EntityUse;
      if (!use.isRead && !use.isWritten) continue;
      const isAnswered = (use.isRead || use.readDeclined) && (use.isCreated || use.createDeclined);
      if (isAnswered) pairs += 1;
      if (use.isRead && !use.isCreated) {
        if (use.createDeclined) declined.push(`who creates ${entity.name}`);
        else {
          findings.open(
            entity.path,
            `${entity.name} is read, but no pattern creates it: who does? (a pattern with create; if nobody, declined)`,
          );
        }
      }
      if (use.isWritten && !use.isRead) {
        if (use.readDeclined) declined.push(`who reads ${entity.name}`);
        else {
          findings.open(
            entity.path,
            `${entity.name} is written, but no pattern reads it: who does? (a pattern with read; if nobody, declined)`,
          );
        }
      }
      attributes(findings, entity, use);
    }
    findings.saw(
      `Both read and created: ${pairs} of ${counted(context.entities.length, "entity", "entities")}.`,
    );
    if (declined.length > 0) findings.saw(`It was declined to say ${listText(declined)}.`);
    return findings.outcome();
  },
};

function attributes(
  findings: Findings,
  entity: Entity,
  { changed, looked, written, isRead, isCreated, createDeclined, readDeclined }: EntityUse,
): void {
  for (const { name, path } of entity.attributes.values()) {
    if (changed.has(name) && !looked.has(name) && isRead && !readDeclined) {
      findings.open(
        path,
        `${entity.name}.${name} is changed, but no pattern returns it or asks about it: who needs it?`,
      );
    }
    if (looked.has(name) && !written.has(name) && !isCreated && !createDeclined) {
      findings.open(path, `${entity.name}.${name} is read, but nothing writes it: who does?`);
    }
  }
}

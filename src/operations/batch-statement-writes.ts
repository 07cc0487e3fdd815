import { ServiceError } from "../api/errors/service-error.ts";
import type { UnitsByTable } from "../capacity/consumed.ts";
import { tableWriteUnits } from "../capacity/metering.ts";
import type { TableDescriptor } from "../engine/descriptor.ts";
import type { WriteAction, WriteOutcome } from "../engine/write.ts";
import { compileWrite } from "../partiql/compile.ts";
import type { CompiledWrite } from "../partiql/operation.ts";
import { type TranslatedStatement, translateStatement } from "../partiql/translate.ts";
import { type BatchMember, DistinctItems } from "./batch-statement.ts";
import type { Context } from "./operation.ts";
import { findTable } from "./statement.ts";
import { actionOf, itemOf, returnedBy, statementOutcome } from "./statement-write.ts";
import { addWriteUnits } from "./write-answer.ts";

const operation = "BatchExecuteStatement";

interface PlannedWrite {
  readonly member: BatchMember;
  readonly write: CompiledWrite;
  readonly action: WriteAction;
}

/** The writes of a batch: one commit, in which each stands for itself. */
export async function writeBatch(
  context: Context,
  members: readonly BatchMember[],
  units: UnitsByTable,
): Promise<void> {
  const translated = members.flatMap((member) => {
    const { statement, parameters } = member;
    if (statement === undefined) return [];
    const made = member.attempt(() => translateStatement(statement, parameters));
    return made === undefined ? [] : [{ member, translated: made }];
  });
  let planned = await plan(context, translated);
  if (planned.length === 0) return;
  let first: readonly PlannedWrite[] | undefined = planned;
  const admission = context.traffic.admission(context, false);
  const outcomes = await context.database.write(
    async () => {
      planned = first ?? (await plan(context, translated));
      first = undefined;
      return planned.map(({ action }) => action);
    },
    { atomic: false, ...(admission !== undefined && { admit: admission.admit }) },
  );
  const worded = outcomes.map((outcome, i) =>
    statementOutcome((planned[i] as PlannedWrite).write, outcome),
  );
  tell(context, planned, worded);
  worded.forEach((outcome, i) => {
    const { member, write } = planned[i] as PlannedWrite;
    if (outcome.refusal !== undefined) member.fail(outcome.refusal, write.table);
    else member.answer(write.table, returnedBy(write, outcome));
  });
  addUnits(units, planned, worded);
}

/** Runs again if a table has changed: what a statement was told before is told anew. */
async function plan(
  context: Context,
  statements: readonly { member: BatchMember; translated: TranslatedStatement }[],
): Promise<readonly PlannedWrite[]> {
  const planned: PlannedWrite[] = [];
  const items = new DistinctItems();
  for (const { member, translated } of statements) {
    const table = await findTable(context, translated.table);
    const made = member.attempt(() => {
      if (table instanceof ServiceError) throw table;
      const write = compileWrite(translated, table);
      return { member, write, action: actionOf(write, table) };
    });
    if (made === undefined) continue;
    items.add(made.action.address.key);
    planned.push(made);
  }
  return planned;
}

function tell(
  context: Context,
  planned: readonly PlannedWrite[],
  outcomes: readonly WriteOutcome[],
): void {
  const { traffic } = context;
  const tables = new Map<TableDescriptor, boolean>();
  outcomes.forEach((outcome, i) => {
    const { action, write } = planned[i] as PlannedWrite;
    const { table } = action;
    if (outcome.refusal === undefined) traffic.wrote(table, outcome, itemOf(write));
    else if (outcome.throttled !== true) {
      traffic.failedTogether([action], [outcome], [itemOf(write)]);
    }
    tables.set(table, outcome.throttled !== true || tables.get(table) === true);
  });
  for (const [table, served] of tables) {
    if (served) traffic.answered(context, operation, table, 0, 0);
    else traffic.throttledRequest(table, operation);
  }
}

/**
 * A table on which nothing came off is not told of. Else a statement that failed counts in the sum,
 * but neither as the table's nor as an index's.
 */
function addUnits(
  units: UnitsByTable,
  planned: readonly PlannedWrite[],
  outcomes: readonly WriteOutcome[],
): void {
  const done = new Set<string>();
  outcomes.forEach((outcome, i) => {
    const { table } = (planned[i] as PlannedWrite).write;
    if (outcome.refusal !== undefined) return;
    done.add(table);
    addWriteUnits(units.of(table), outcome);
  });
  outcomes.forEach(({ refusal, throttled, before, after }, i) => {
    const { table } = (planned[i] as PlannedWrite).write;
    if (refusal === undefined || throttled === true || !done.has(table)) return;
    units.of(table).failed += tableWriteUnits(before?.size, after?.size);
  });
}

import type { Table } from "../../model/design.ts";

/** How often the tables of a plan are copied, and how long the copies are kept. */
export interface BackupRule {
  /** Such as `7d-90d`: for names. */
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  readonly keepDays: number;
  readonly tables: readonly Table[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** One for each pair of times that tables state. */
export function backupRules(tables: readonly Table[]): readonly BackupRule[] {
  const rules = new Map<string, BackupRule & { readonly tables: Table[] }>();
  for (const table of tables) {
    if (table.backups === undefined) continue;
    const { everyMs, keepMs } = table.backups;
    const name = `${shortTime(everyMs)}-${shortTime(keepMs)}`;
    const there = rules.get(name);
    if (there !== undefined) there.tables.push(table);
    else {
      rules.set(name, {
        name,
        description: `A copy every ${shortTime(everyMs)}, kept for ${shortTime(keepMs)}`,
        schedule: backupSchedule(everyMs),
        // Copies are kept for whole days.
        keepDays: Math.max(1, Math.ceil(keepMs / dayMs)),
        tables: [table],
      });
    }
  }
  return [...rules.values()];
}

function shortTime(ms: number): string {
  if (ms % dayMs === 0) return `${ms / dayMs}d`;
  return ms % hourMs === 0 ? `${ms / hourMs}h` : `${Math.ceil(ms / 1_000)}s`;
}

/**
 * The cron expression that copies at least as often as is said, where thirty days are a month and 365 a year. Days are
 * counted from the first of a month and months from January, so the last step of each may be shorter. AWS Backup
 * knows no other schedules, and none below an hour.
 */
export function backupSchedule(everyMs: number): string {
  const hours = Math.floor(everyMs / hourMs);
  if (hours < 24)
    return hours <= 1 ? "cron(0 * * * ? *)" : `cron(0 0/${divisor(24, hours)} * * ? *)`;
  const days = Math.floor(hours / 24);
  if (days === 1) return "cron(0 5 * * ? *)";
  if (days === 7) return "cron(0 5 ? * SUN *)";
  if (days < 30) return `cron(0 5 1/${days} * ? *)`;
  const months = days >= 365 ? 12 : divisor(12, Math.floor(days / 30));
  if (months === 12) return "cron(0 5 1 1 ? *)";
  return months === 1 ? "cron(0 5 1 * ? *)" : `cron(0 5 1 1/${months} ? *)`;
}

/** The greatest divisor that is not above a number. */
function divisor(of: number, most: number): number {
  for (let n = Math.min(most, of); n > 1; n -= 1) if (of % n === 0) return n;
  return 1;
}

import { randomBytes } from "node:crypto";
import type { Bytes, Totals, Write } from "../storage/store.ts";
import type { TableDescriptor } from "./descriptor.ts";
import { backupKey } from "./layout.ts";

/** All that is known of a backup; stored as JSON, and apart from its table, which may be gone. */
export interface BackupRow {
  readonly namespace: string;
  /** The moment and a random part, as in its ARN. */
  readonly id: string;
  readonly name: string;
  /** SYSTEM: made by the service when a table with point-in-time recovery was deleted. */
  readonly type: "USER" | "SYSTEM";
  readonly status: "CREATING" | "AVAILABLE";
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** The table as it was. */
  readonly table: TableDescriptor;
  /** What the table had when the backup was asked for; when it is there, its own totals say it. */
  readonly size?: Totals;
  /** Names the key space of its items, and their totals. */
  readonly dataId: number;
  /** Jobs that restore it, or read what it holds: it cannot be deleted meanwhile. */
  readonly readers?: readonly number[];
}

const momentDigits = 14;

export function newBackupId(now: number): string {
  return `${momentOf(now)}-${randomBytes(4).toString("hex")}`;
}

const momentOf = (now: number): string => String(Math.trunc(now)).padStart(momentDigits, "0");

const systemDays = 35;

/**
 * The backup that a table with point-in-time recovery becomes when it is deleted. Nothing is copied: the
 * items of the table are its own from then on.
 */
export function backupOfDeleted(table: TableDescriptor, now: number): BackupRow {
  return {
    namespace: table.namespace,
    id: `${momentOf(now)}-00000000`,
    name: `${table.name}$DeletedTableBackup`,
    type: "SYSTEM",
    status: "AVAILABLE",
    createdAt: now,
    expiresAt: now + systemDays * 86_400_000,
    table,
    dataId: table.id,
  };
}

export const keyOfBackup = ({ namespace, table, id }: BackupRow): Bytes =>
  backupKey(namespace, table.name, id);

export function backupWrite(row: BackupRow): Write {
  return { kind: "put", key: keyOfBackup(row), value: Buffer.from(JSON.stringify(row)) };
}

export function parseBackup(bytes: Bytes): BackupRow {
  return JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
  ) as BackupRow;
}

export function isExpired({ expiresAt }: BackupRow, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Nobody in particular reads it any more. */
export function withoutReader(row: BackupRow, jobId: number): BackupRow {
  const { readers = [], ...rest } = row;
  const left = readers.filter((reader) => reader !== jobId);
  return left.length === 0 ? rest : { ...rest, readers: left };
}

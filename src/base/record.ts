/**
 * Names come from clients and may be `__proto__` or `constructor`. A record that is built from such
 * names has no prototype, and a look-up in a record that came from `JSON.parse` asks for an own
 * property.
 */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

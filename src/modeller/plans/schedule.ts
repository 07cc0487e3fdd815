const units: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
};

/** The seconds between two runs of a schedule; of a cron expression, by the finest field that is left open. */
export function scheduleSeconds(schedule: string): number {
  const rate = /^rate\(\s*(\d+)\s+(second|minute|hour|day)s?\s*\)$/.exec(schedule.trim());
  if (rate !== null) return Number(rate[1]) * (units[rate[2] ?? ""] ?? 60);
  const cron = /^cron\((.*)\)$/.exec(schedule.trim());
  const [minute = "0", hour = "0"] = (cron?.[1] ?? "").trim().split(/\s+/);
  const step = (field: string): number | undefined => {
    const every = /^(?:\*|\d+)\/(\d+)$/.exec(field);
    return every === null ? (field === "*" ? 1 : undefined) : Number(every[1]);
  };
  const minutes = step(minute);
  if (minutes !== undefined) return minutes * 60;
  const hours = step(hour);
  return hours === undefined ? 86_400 : hours * 3_600;
}

import type { Table } from "../../model/design.ts";

/** A function that is called at times: it works out the numbers that a table keeps by schedule. */
export interface Schedule {
  readonly table: Table;
  /** In one word, such as `Post.likes`. */
  readonly name: string;
  readonly description: string;
  readonly expression: string;
}

/** As EventBridge Scheduler reads them: rates of whole minutes, hours or days, and cron with six fields. */
const readable =
  /^(rate\([1-9]\d{0,5} (minute|hour|day)s?\)|cron\([\w*?,/#-]+( [\w*?,/#-]+){5}\))$/;

/** One for each time that numbers of a table are worked out. */
export function schedulesOf(table: Table): readonly Schedule[] {
  const found = new Map<string, string[]>();
  for (const { into, by } of table.aggregates) {
    if (typeof by !== "object" || !readable.test(by.schedule)) continue;
    const numbers = found.get(by.schedule) ?? [];
    numbers.push(`${into.entity}.${into.attribute}`);
    found.set(by.schedule, numbers);
  }
  return [...found].map(([expression, numbers]) => ({
    table,
    name: numbers[0] ?? "",
    description: `Works out ${[...new Set(numbers)].join(", ")}`,
    expression,
  }));
}

export function unreadableSchedules({ name, aggregates }: Table): readonly string[] {
  return aggregates.flatMap(({ into, by }) =>
    typeof by === "object" && !readable.test(by.schedule)
      ? [
          `The schedule of ${into.entity}.${into.attribute} in ${name} is not in it: EventBridge Scheduler does not read ${by.schedule}.`,
        ]
      : [],
  );
}

import type { Children } from "./children.ts";
import type { Options } from "./options.ts";
import { type Measurement, pause, prepare, runPhase } from "./phase.ts";
import { RawClient, type RawMeasurement, startPostgres } from "./postgres-roles.ts";
import { medianOf } from "./statistics.ts";
import { figure, renderTable, times } from "./table.ts";
import { launch, type RunningTarget, type Target } from "./targets.ts";
import { Workload } from "./workload.ts";

/** One round of one operation at one number of clients, on both sides. */
export interface PostgresPhase {
  readonly round: number;
  readonly operation: "get" | "put";
  readonly clients: number;
  readonly keywright: Measurement;
  readonly sql: RawMeasurement;
}

export interface PostgresResult {
  readonly rounds: number;
  readonly seconds: number;
  readonly items: number;
  readonly phases: readonly PostgresPhase[];
}

const defaultItemBytes = 430;
const operations = ["get", "put"] as const;
const betweenPhasesMs = 200;

/** Keywright on PostgreSQL, next to the SQL statements that do the same on the same server. */
export async function runPostgres(
  options: Options,
  children: Children,
  say: (text: string) => void,
): Promise<PostgresResult> {
  const url = await startPostgres(children);
  const server = await launch(children, postgresTarget(url));
  const { items, itemBytes = defaultItemBytes, rounds, seconds } = options;
  const workload = new Workload({ table: "bench", items, itemBytes });
  await prepare(server, workload);
  const client = await RawClient.start(children, url);
  say("both sides are filled");
  const phases: PostgresPhase[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const operation of operations) {
      for (const clients of options.connections) {
        const what = { round, operation, clients };
        const phase = await runBoth(options, { server, workload, client }, what);
        phases.push(phase);
        say(progress(phase));
      }
    }
  }
  return { rounds, seconds, items, phases };
}

function postgresTarget(url: string): Target {
  return {
    label: "keywright-postgres",
    ours: true,
    keeps: "flushed to disk",
    command: process.execPath,
    args: (port) => ["dist/cli.js", "start", "--port", String(port), "--store", url],
  };
}

interface Sides {
  readonly server: RunningTarget;
  readonly workload: Workload;
  readonly client: RawClient;
}

/** One side after the other, in changing order. */
async function runBoth(
  { seconds, warmUpSeconds }: Options,
  { server, workload, client }: Sides,
  { round, operation, clients }: Pick<PostgresPhase, "round" | "operation" | "clients">,
): Promise<PostgresPhase> {
  const length = { seconds, warmUpSeconds };
  const own = async (): Promise<Measurement> => {
    const outcome = await runPhase(server, workload, {
      operation,
      connections: clients,
      ...length,
    });
    await pause(betweenPhasesMs);
    if ("unsupported" in outcome) throw new Error(outcome.unsupported);
    if (outcome.errors > 0) throw new Error(`${outcome.errors} requests failed`);
    return outcome;
  };
  const raw = async (): Promise<RawMeasurement> => {
    const measured = await client.run({ operation, clients, ...length });
    await pause(betweenPhasesMs);
    return measured;
  };
  if (round % 2 === 1) {
    const sql = await raw();
    return { round, operation, clients, keywright: await own(), sql };
  }
  const keywright = await own();
  return { round, operation, clients, keywright, sql: await raw() };
}

function progress({ round, operation, clients, keywright, sql }: PostgresPhase): string {
  const side = (measured: { perSecond: number; cpuUsPerRequest: number | undefined }): string =>
    `${figure(measured.perSecond)}/s, ${figure(measured.cpuUsPerRequest)} µs CPU`;
  return `round ${round + 1}  ${operation} × ${clients}  keywright ${side(keywright)}; SQL ${side(sql)}`;
}

const names = {
  get: "GetItem against SELECT by key",
  put: "PutItem against upsert",
} as const;

export function reportPostgres({ rounds, seconds, items, phases }: PostgresResult): string {
  const clients = [...new Set(phases.map((phase) => phase.clients))];
  const tables = operations.map((operation) => {
    const rows = clients.map((width) =>
      row(phases.filter((phase) => phase.operation === operation && phase.clients === width)),
    );
    const header = [
      ...["clients", "keywright/s", "SQL/s", "ratio", "p50, ms", "SQL p50, ms"],
      ...["front end CPU, µs", "SQL client CPU, µs", "ratio per front-end core"],
    ];
    return `**${names[operation]}**\n\n${renderTable(header, rows, 0)}`;
  });
  const how = `Rounds of ${seconds} s: ${rounds}; medians. Items in the table: ${items}.`;
  return [how, ...tables].join("\n\n");
}

/** A ratio is taken within each round, so that both sides had the same weather. */
function row(phases: readonly PostgresPhase[]): string[] {
  const middle = (value: (phase: PostgresPhase) => number | undefined) => medianOf(phases, value);
  return [
    String(phases[0]?.clients),
    figure(middle(({ keywright }) => keywright.perSecond)),
    figure(middle(({ sql }) => sql.perSecond)),
    times(middle(({ keywright, sql }) => keywright.perSecond / sql.perSecond)),
    figure(middle(({ keywright }) => keywright.p50Ms)),
    figure(middle(({ sql }) => sql.p50Ms)),
    figure(middle(({ keywright }) => keywright.cpuUsPerRequest)),
    figure(middle(({ sql }) => sql.cpuUsPerRequest)),
    times(
      middle(({ keywright: { cpuUsPerRequest: own }, sql }) =>
        own === undefined ? undefined : sql.cpuUsPerRequest / own,
      ),
    ),
  ];
}

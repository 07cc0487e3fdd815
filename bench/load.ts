import type { Children } from "./children.ts";
import type { Options } from "./options.ts";
import { type Measurement, pause, prepare, runPhase } from "./phase.ts";
import { launch, ownTarget, peerTarget, type RunningTarget, type Target } from "./targets.ts";
import { type OperationName, Workload } from "./workload.ts";

/** One phase: one round of one operation at one number of connections on one target. */
export interface PhaseResult {
  readonly round: number;
  readonly target: string;
  readonly operation: OperationName;
  readonly connections: number;
  readonly measured?: Measurement;
  readonly unsupported?: string;
}

export interface LoadResult {
  readonly targets: readonly { label: string; ours: boolean; keeps: string }[];
  readonly itemBytes: number;
  readonly phases: readonly PhaseResult[];
  /** What could not be measured, and why: whole sentences. */
  readonly remarks: readonly string[];
}

const defaultItemBytes = 430;
const betweenPhasesMs = 200;

export async function runLoad(
  options: Options,
  children: Children,
  say: (text: string) => void,
): Promise<LoadResult> {
  const remarks: string[] = [];
  const remark = (text: string): void => {
    remarks.push(text);
    say(text);
  };
  const workload = new Workload({
    table: "bench",
    items: options.items,
    itemBytes: options.itemBytes ?? defaultItemBytes,
  });
  const servers: RunningTarget[] = [];
  for (const target of await chooseTargets(options, children, remark)) {
    try {
      const server = await launch(children, target);
      await prepare(server, workload);
      servers.push(server);
      say(`${target.label} is filled and reads back what was written.`);
    } catch (error) {
      remark(`${target.label} is left out: ${reasonOf(error)}`);
    }
  }
  const phases = await runRounds(options, servers, workload, say);
  return {
    targets: servers.map(({ target: { label, ours, keeps } }) => ({ label, ours, keeps })),
    itemBytes: JSON.stringify(workload.item(0)).length,
    phases,
    remarks,
  };
}

/** Peers that cannot be had on this machine are left out. */
export async function chooseTargets(
  options: Pick<Options, "ours" | "peers">,
  children: Children,
  remark: (text: string) => void,
): Promise<Target[]> {
  const targets = options.ours.map((variant) => ownTarget(variant));
  for (const name of options.peers) {
    try {
      targets.push(await peerTarget(name, children));
    } catch (error) {
      remark(`${name} is left out, as it cannot be installed here: ${reasonOf(error)}`);
    }
  }
  return targets;
}

/** Targets take turns within each operation, in changing order, so that all see the same weather. */
async function runRounds(
  options: Options,
  servers: readonly RunningTarget[],
  workload: Workload,
  say: (text: string) => void,
): Promise<PhaseResult[]> {
  const phases: PhaseResult[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const order = round % 2 === 0 ? servers : [...servers].reverse();
    for (const operation of options.operations) {
      for (const connections of options.connections) {
        for (const server of order) {
          const { seconds, warmUpSeconds } = options;
          const phase = { operation, connections, seconds, warmUpSeconds };
          const outcome = await runPhase(server, workload, phase);
          const result: PhaseResult = {
            round,
            target: server.target.label,
            operation,
            connections,
            ...("unsupported" in outcome ? outcome : { measured: outcome }),
          };
          phases.push(result);
          say(progress(result));
          await pause(betweenPhasesMs);
        }
      }
    }
  }
  return phases;
}

function progress({ round, target, operation, connections, measured, unsupported }: PhaseResult) {
  const what = `round ${round + 1}  ${operation} × ${connections}  ${target}`;
  if (measured === undefined) return `${what}: unsupported, ${unsupported}`;
  const { perSecond, cpuUsPerRequest, errors } = measured;
  const cpu = cpuUsPerRequest === undefined ? "" : `, ${cpuUsPerRequest.toFixed(0)} µs CPU`;
  const failed = errors === 0 ? "" : `, ${errors} errors`;
  return `${what}: ${perSecond.toFixed(0)}/s${cpu}${failed}`;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { randomBytes, randomUUID } from "node:crypto";
import type { Caller } from "../workbench/workbench.ts";

export interface ScheduledRun {
  readonly name: string;
  readonly caller: Caller;
  /** When the run was due, in milliseconds since the epoch. */
  readonly at: number;
  /** JSON with keywords in it; undefined: the event that EventBridge Scheduler makes up. */
  readonly input: string | undefined;
}

/** The JSON that EventBridge Scheduler hands to a function. */
export function scheduleEvent({ name, caller, at, input }: ScheduledRun): string {
  const { account, region } = caller;
  const time = `${new Date(at).toISOString().slice(0, 19)}Z`;
  const arn = `arn:aws:scheduler:${region}:${account}:schedule/default/${name}`;
  if (input !== undefined) {
    return input
      .replaceAll("<aws.scheduler.schedule-arn>", arn)
      .replaceAll("<aws.scheduler.scheduled-time>", time)
      .replaceAll("<aws.scheduler.execution-id>", randomBytes(8).toString("hex"))
      .replaceAll("<aws.scheduler.attempt-number>", "1");
  }
  return JSON.stringify({
    version: "0",
    id: randomUUID(),
    "detail-type": "Scheduled Event",
    source: "aws.scheduler",
    account,
    time,
    region,
    resources: [arn],
    detail: "{}",
  });
}

import type { Table } from "../../model/design.ts";
import {
  createOf,
  expiryOf,
  pointInTime,
  tableNameOf,
  timeToLive,
  updateTable,
} from "./requests.ts";
import type { ApiRequest } from "./step.ts";

/** A change of how a table is run. */
export interface SettingStep {
  /** Before data is written, or after nothing needs the old way any more. */
  readonly when: "before" | "after";
  readonly title: string;
  readonly why: string;
  readonly requests: readonly ApiRequest[];
  readonly actions: readonly string[];
  readonly verify: readonly string[];
  readonly rollback: string;
  readonly risks: readonly string[];
}

type Draft = Partial<SettingStep> & Pick<SettingStep, "title" | "why">;

const step = (draft: Draft): SettingStep => ({
  when: "before",
  requests: [],
  actions: [],
  verify: ["DescribeTable tells the new value, and the table is ACTIVE."],
  rollback: "The same request with the old value.",
  risks: [],
  ...draft,
});

/** What differs in how a table that stays is run. */
export function settingsOf(old: Table, table: Table): readonly SettingStep[] {
  return [
    ...billing(old, table),
    ...tableClass(old, table),
    ...timeToLiveSteps(old, table),
    ...stream(old, table),
    ...recovery(old, table),
    ...others(old, table),
  ];
}

const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

function billing(old: Table, table: Table): readonly SettingStep[] {
  const [before, after] = [createOf(old), createOf(table)];
  const TableName = tableNameOf(table);
  const steps: SettingStep[] = [];
  const common = new Set(
    [...old.indexes.values()]
      .filter((one) => !one.local && table.indexes.has(one.name))
      .map((one) => one.name),
  );
  const indexUpdates = (after.GlobalSecondaryIndexes ?? []).flatMap((one) => {
    const was = before.GlobalSecondaryIndexes?.find((other) => other.IndexName === one.IndexName);
    const { ProvisionedThroughput: units } = one;
    // With the table, all its indexes get units of their own.
    const isConcerned = before.BillingMode !== after.BillingMode || common.has(one.IndexName);
    return isConcerned && units !== undefined && differ(was?.ProvisionedThroughput, units)
      ? [{ Update: { IndexName: one.IndexName, ProvisionedThroughput: units } }]
      : [];
  });
  const isOtherMode = before.BillingMode !== after.BillingMode;
  const isOtherUnits = differ(before.ProvisionedThroughput, after.ProvisionedThroughput);
  if (isOtherMode || isOtherUnits || indexUpdates.length > 0) {
    const less =
      !isOtherMode &&
      ((after.ProvisionedThroughput?.ReadCapacityUnits ?? 0) <
        (before.ProvisionedThroughput?.ReadCapacityUnits ?? 0) ||
        (after.ProvisionedThroughput?.WriteCapacityUnits ?? 0) <
          (before.ProvisionedThroughput?.WriteCapacityUnits ?? 0));
    const toProvisioned = isOtherMode && after.BillingMode === "PROVISIONED";
    steps.push(
      step({
        // What a backfill needs is taken away only when it is over.
        when: less || toProvisioned ? "after" : "before",
        title: isOtherMode
          ? `${table.name} is billed ${table.billing.mode}`
          : `${table.name} gets other capacity units`,
        why: "the new document says so",
        requests: [
          updateTable(TableName, {
            ...(isOtherMode && { BillingMode: after.BillingMode }),
            ...((isOtherMode || isOtherUnits) &&
              after.ProvisionedThroughput !== undefined && {
                ProvisionedThroughput: after.ProvisionedThroughput,
              }),
            ...(indexUpdates.length > 0 && { GlobalSecondaryIndexUpdates: indexUpdates }),
          }),
        ],
        risks: [
          ...(isOtherMode && !toProvisioned
            ? ["A table can be switched to on-demand four times in 24 hours."]
            : []),
          ...(toProvisioned
            ? [
                "Above the capacity units, requests are throttled after the burst of five minutes is used up.",
              ]
            : []),
          ...(less
            ? ["Units can be lowered four times in the first hour of a day, then once in an hour."]
            : []),
        ],
      }),
    );
  }
  if (
    differ(before.OnDemandThroughput, after.OnDemandThroughput) &&
    after.BillingMode === "PAY_PER_REQUEST"
  ) {
    const units = after.OnDemandThroughput;
    steps.push(
      step({
        when: "after",
        title: `${table.name} gets another maximum of request units`,
        why: "the new document says so",
        requests: [
          updateTable(TableName, {
            // Minus one takes a maximum away.
            OnDemandThroughput: {
              MaxReadRequestUnits: units?.MaxReadRequestUnits ?? -1,
              MaxWriteRequestUnits: units?.MaxWriteRequestUnits ?? -1,
            },
          }),
        ],
        risks: ["Requests above the maximum are throttled."],
      }),
    );
  }
  if (after.WarmThroughput !== undefined && differ(before.WarmThroughput, after.WarmThroughput)) {
    steps.push(
      step({
        title: `${table.name} is warmed`,
        why: "the new document says how much it has to take from the beginning",
        requests: [updateTable(TableName, { WarmThroughput: after.WarmThroughput })],
        rollback: "There is none: warm throughput cannot be lowered. It costs once.",
      }),
    );
  }
  return steps;
}

function tableClass(old: Table, table: Table): readonly SettingStep[] {
  if (old.class === table.class) return [];
  const TableClass =
    table.class === "infrequent-access" ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD";
  return [
    step({
      // Writing is cheaper in the standard class.
      when: table.class === "infrequent-access" ? "after" : "before",
      title: `${table.name} becomes a table of the class ${table.class}`,
      why: "the new document says so",
      requests: [updateTable(tableNameOf(table), { TableClass })],
      risks: ["The class can be changed twice in 30 days."],
    }),
  ];
}

function timeToLiveSteps(old: Table, table: Table): readonly SettingStep[] {
  const [before, after] = [expiryOf(old), expiryOf(table)];
  if (before === after) return [];
  const name = tableNameOf(table);
  const isOther = before !== undefined && after !== undefined;
  return [
    step({
      when: "after",
      title:
        after === undefined
          ? `Items of ${table.name} do not expire any more`
          : `Items of ${table.name} expire by ${after}`,
      why: "the new document says so",
      requests: [
        ...(before === undefined ? [] : [timeToLive(name, before, false)]),
        ...(after === undefined ? [] : [timeToLive(name, after, true)]),
      ],
      actions: isOther
        ? ["Wait an hour between the two requests: one change is allowed in an hour."]
        : [],
      verify: ["DescribeTimeToLive tells the attribute, and ENABLED or DISABLED."],
      rollback:
        "The same the other way round, an hour later. Items that were deleted meanwhile are gone.",
      risks:
        after === undefined
          ? []
          : [
              "Items whose time is over are deleted from then on; a wrong unit (milliseconds) is not noticed by anybody.",
            ],
    }),
  ];
}

function stream(old: Table, table: Table): readonly SettingStep[] {
  if (old.stream === table.stream) return [];
  const name = tableNameOf(table);
  const off = updateTable(name, { StreamSpecification: { StreamEnabled: false } });
  const on = updateTable(name, { StreamSpecification: createOf(table).StreamSpecification });
  const isOther = old.stream !== undefined && table.stream !== undefined;
  const consumers = table.consumers.map((one) => one.name);
  return [
    step({
      when: table.stream === undefined ? "after" : "before",
      title: isOther
        ? `${table.name} gets a new stream with another view (${table.stream})`
        : table.stream === undefined
          ? `${table.name} has no stream any more`
          : `${table.name} gets a stream (${table.stream})`,
      why: isOther
        ? "the view of a stream cannot be changed: it is switched off, and on again as a new stream with another ARN"
        : "the new document says so",
      requests: [
        ...(old.stream === undefined ? [] : [off]),
        ...(table.stream === undefined ? [] : [on]),
      ],
      actions: isOther
        ? [
            `Connect ${consumers.length === 0 ? "every consumer" : consumers.join(", ")} to the new stream from TRIM_HORIZON on.`,
            "Let consumers read the old stream to its end before they are disconnected: it stays readable for 24 hours.",
            "Changes between the two requests are in neither stream: stop writers for that moment, or compare afterwards.",
          ]
        : [],
      verify: [
        "DescribeTable tells LatestStreamArn and the view.",
        ...(isOther ? ["Every shard of the old stream is closed and read to its end."] : []),
      ],
      rollback: isOther
        ? "Off and on again: a third stream. Consumers have to be connected again."
        : "The same the other way round.",
      risks: isOther
        ? ["A consumer that goes on reading the old stream sees nothing new, and no error."]
        : [],
    }),
  ];
}

function recovery(old: Table, table: Table): readonly SettingStep[] {
  if (old.pitrDays === table.pitrDays) return [];
  return [
    step({
      when: table.pitrDays === undefined ? "after" : "before",
      title:
        table.pitrDays === undefined
          ? `${table.name} cannot be restored to a point in time any more`
          : `${table.name} can be restored to any second of ${table.pitrDays} days`,
      why: "the new document says so",
      requests: [pointInTime(tableNameOf(table), table.pitrDays)],
      verify: ["DescribeContinuousBackups tells the status and the days."],
      rollback: "The same with the old value; what was between cannot be restored.",
      risks:
        table.pitrDays === undefined ? ["All points in time that could be restored are gone."] : [],
    }),
  ];
}

function others(old: Table, table: Table): readonly SettingStep[] {
  const name = tableNameOf(table);
  const steps: SettingStep[] = [];
  const why = "the new document says so";
  if (differ(old.encryption, table.encryption)) {
    const wanted = createOf(table).SSESpecification ?? { Enabled: false };
    steps.push(
      step({
        title: `${table.name} is encrypted with another key`,
        why,
        requests: [updateTable(name, { SSESpecification: wanted })],
        risks: ["The key can be changed four times, and once more after six quiet hours."],
      }),
    );
  }
  if (old.deletionProtection !== table.deletionProtection) {
    const on = table.deletionProtection;
    steps.push(
      step({
        when: on ? "before" : "after",
        title: `${table.name} is ${on ? "protected from deletion" : "not protected from deletion any more"}`,
        why,
        requests: [updateTable(name, { DeletionProtectionEnabled: on })],
      }),
    );
  }
  const [was, is] = [[...old.tags], [...table.tags]];
  if (differ(was, is)) {
    const gone = was.map(([key]) => key).filter((key) => !table.tags.has(key));
    steps.push(
      step({
        title: `${table.name} has other tags`,
        why,
        requests: [
          ...(is.length === 0
            ? []
            : [
                {
                  operation: "TagResource",
                  request: { ResourceArn: name, Tags: is.map(([Key, Value]) => ({ Key, Value })) },
                },
              ]),
          ...(gone.length === 0
            ? []
            : [{ operation: "UntagResource", request: { ResourceArn: name, TagKeys: gone } }]),
        ],
        actions: ["Put the table's ARN where its name stands."],
        verify: ["ListTagsOfResource tells them."],
      }),
    );
  }
  for (const region of table.replicas.filter((one) => !old.replicas.includes(one))) {
    steps.push(replica(name, region, "Create"));
  }
  for (const region of old.replicas.filter((one) => !table.replicas.includes(one))) {
    steps.push(replica(name, region, "Delete"));
  }
  if (differ(old.consumers, table.consumers) && table.stream !== undefined) {
    steps.push(
      step({
        title: `The consumers of the stream of ${table.name} are others`,
        why,
        actions: [`Consumers: ${table.consumers.map((one) => one.name).join(", ") || "none"}.`],
        verify: ["Each event source mapping is Enabled, and its iterator age falls."],
      }),
    );
  }
  if (differ(old.dax, table.dax) || differ(old.backups, table.backups)) {
    steps.push(
      step({
        title: `What stands beside ${table.name} changes (cache, backups)`,
        why,
        actions: ["It is made by the infrastructure code: keywright generate."],
        verify: ["The cluster or plan is there as the document says."],
      }),
    );
  }
  return steps;
}

function replica(name: string, RegionName: string, kind: "Create" | "Delete"): SettingStep {
  const made = kind === "Create";
  return step({
    when: made ? "before" : "after",
    title: made
      ? `${name} gets a replica in ${RegionName}`
      : `The replica of ${name} in ${RegionName} goes`,
    why: "the new document says so",
    requests: [updateTable(name, { ReplicaUpdates: [{ [kind]: { RegionName } }] })],
    verify: [`DescribeTable tells ${made ? "an ACTIVE" : "no"} replica in ${RegionName}.`],
    risks: made
      ? ["Every write costs once more from then on, in the other Region."]
      : ["Who still asks there gets errors."],
  });
}

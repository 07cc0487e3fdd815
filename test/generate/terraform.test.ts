import { describe, expect, it } from "vitest";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { terraformFiles } from "../../src/modeller/infrastructure/terraform.ts";
import { designedTables, tablesFrom } from "./engine-tables.test-support.ts";
import {
  cases,
  described,
  exampleModel,
  hostileModel,
  hostileText,
} from "./examples.test-support.ts";
import { misfits } from "./terraform-check.test-support.ts";
import {
  type Body,
  bodyOf,
  type Module,
  moduleOf,
  requestsOf,
  textsIn,
} from "./terraform-module.test-support.ts";

const moduleNamed = (name: string): Promise<Module> => moduleOf(described(exampleModel(name)));

describe("Terraform", () => {
  it.each(cases)("%s has nothing that Terraform or the provider refuse", async (name) => {
    const infrastructure = described(exampleModel(name));
    const module = await moduleOf(infrastructure);
    expect(misfits(module)).toEqual([]);
    const text = JSON.stringify(terraformFiles(infrastructure));
    const used = [...text.matchAll(/var\.([a-z0-9_]+)/g)].map(([, variable]) => variable as string);
    expect(new Set(used)).toEqual(new Set(Object.keys(module.variable)));
  });

  it.each(cases)("%s makes the tables of the model on the engine", async (name) => {
    const infrastructure = described(exampleModel(name));
    const module = await moduleOf(infrastructure);
    const made = await tablesFrom(requestsOf(module));
    expect(made).toEqual(await tablesFrom(designedTables(infrastructure)));
  });

  it.each(cases)("%s keeps copies, replicas and protection as designed", async (name) => {
    const infrastructure = described(exampleModel(name));
    const { resource } = await moduleOf(infrastructure);
    for (const { table } of infrastructure.tables) {
      const [[id, [body = {}]] = ["", []]] = Object.entries(
        resource.aws_dynamodb_table ?? {},
      ).filter(([, [one]]) => String(one?.name).replaceAll(/-?\$\{[^}]*\}/g, "") === table.name);
      const [pitr] = body.point_in_time_recovery as readonly Body[];
      expect(pitr).toEqual(
        table.pitrDays === undefined
          ? { enabled: false }
          : { enabled: true, recovery_period_in_days: table.pitrDays },
      );
      expect(body.deletion_protection_enabled).toBe(table.deletionProtection);
      const own = Object.values(resource.aws_dynamodb_table_replica ?? {})
        .map(([one]) => one as Body)
        .filter((one) => one.global_table_arn === `\${aws_dynamodb_table.${id}.arn}`);
      const regions = [
        ...((body.replica ?? []) as readonly Body[]).map(({ region_name }) => region_name),
        ...own.map(({ region }) => region),
      ];
      expect(regions.toSorted()).toEqual(table.replicas.toSorted());
      const resources = Object.values(resource.aws_backup_selection ?? {}).map(([one]) =>
        String(one?.resources),
      );
      const isKept = resources.some((list) => list.includes(`aws_dynamodb_table.${id}`));
      expect(isKept).toBe(table.backups !== undefined);
    }
  });

  it("runs periods that are over in their own way", async () => {
    const module = await moduleNamed("device-readings");
    const readings = bodyOf(module, "aws_dynamodb_table", "readings");
    expect(readings.table_class).toBe(
      `\${each.key == var.readings_period ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS"}`,
    );
    expect(module.variable).toHaveProperty("readings_period");
  });

  it("has limits of on-demand periods only there, and scaling of others only there", async () => {
    const module = await moduleNamed("rich");
    const monthly = bodyOf(module, "aws_dynamodb_table", "monthly");
    expect(monthly).toMatchObject({
      billing_mode: `\${each.key == var.monthly_period ? "PAY_PER_REQUEST" : "PROVISIONED"}`,
      read_capacity: `\${each.key == var.monthly_period ? null : 20}`,
      dynamic: {
        on_demand_throughput: [
          {
            for_each: `\${(each.key == var.monthly_period) ? [1] : []}`,
            content: [{ max_read_request_units: 500 }],
          },
        ],
      },
    });
    expect(bodyOf(module, "aws_appautoscaling_target", "monthly_read_before")).toMatchObject({
      for_each: `\${toset(var.monthly_periods_before)}`,
      max_capacity: 40,
    });
  });

  it("leaves alone what auto scaling changes, of tables and of indexes", async () => {
    const module = await moduleNamed("marketplace");
    const table = Object.values(module.resource.aws_dynamodb_table ?? {}).find(
      ([one]) => one?.billing_mode === "PROVISIONED",
    )?.[0];
    expect(table?.lifecycle).toEqual([
      { ignore_changes: [`\${read_capacity}`, `\${write_capacity}`] },
    ]);
    const indexes = Object.values(module.resource.aws_dynamodb_global_secondary_index ?? {});
    expect(indexes.length).toBeGreaterThan(3);
    for (const [index] of indexes) {
      expect(index?.lifecycle).toEqual([
        {
          ignore_changes: [
            `\${provisioned_throughput[0].read_capacity_units}`,
            `\${provisioned_throughput[0].write_capacity_units}`,
          ],
        },
      ]);
    }
  });

  it("makes replicas of fixed units when writes are scaled, one after the other", async () => {
    const module = await moduleNamed("rich");
    expect(bodyOf(module, "aws_dynamodb_table_replica", "spread_eu_west_1").depends_on).toEqual([
      `\${aws_appautoscaling_policy.spread_write}`,
      `\${aws_appautoscaling_policy.spread_by_owner_write}`,
    ]);
    expect(bodyOf(module, "aws_dynamodb_table_replica", "spread_ap_south_1").depends_on).toEqual([
      `\${aws_dynamodb_table_replica.spread_eu_west_1}`,
    ]);
    // Fixed units are scaled between equal ends, in every Region.
    expect(bodyOf(module, "aws_appautoscaling_target", "spread_by_owner_write")).toMatchObject({
      min_capacity: 3,
      max_capacity: 3,
    });
    expect(
      bodyOf(module, "aws_appautoscaling_target", "spread_by_owner_write_ap_south_1"),
    ).toMatchObject({ region: "ap-south-1", min_capacity: 3 });
  });

  it("tells a queue what a consumer gives up, and lets its role do what it needs", async () => {
    const module = await moduleNamed("rich");
    expect(bodyOf(module, "aws_lambda_event_source_mapping", "spread_follow")).toMatchObject({
      maximum_retry_attempts: 3,
      maximum_record_age_in_seconds: 3_600,
      bisect_batch_on_function_error: true,
      parallelization_factor: 2,
      function_response_types: ["ReportBatchItemFailures"],
      destination_config: [
        { on_failure: [{ destination_arn: `\${aws_sqs_queue.spread_follow.arn}` }] },
      ],
      depends_on: [`\${aws_iam_role_policy_attachment.spread_follow}`],
    });
    const policy = String(bodyOf(module, "aws_iam_policy", "read_stream_spread_follow").policy);
    for (const action of ["dynamodb:GetRecords", "sqs:SendMessage", "kms:Decrypt"]) {
      expect(policy).toContain(action);
    }
    const other = bodyOf(module, "aws_lambda_event_source_mapping", "monthly_follow");
    expect(other).not.toHaveProperty("destination_config");
  });

  it.each(["-1.x_y", "Ab--Cd--Ef--Gh--Ij", "9".repeat(255)])(
    "gives the cache of %s a name that DAX takes",
    async (table) => {
      const module = await moduleOf(described(cachedModel(table)));
      const [cluster] = Object.values(module.resource.aws_dax_cluster ?? {});
      const name = /^\$\{local\.(\w+)\}$/.exec(String(cluster?.[0]?.cluster_name))?.[1] ?? "";
      const text = String(module.locals.find((one) => name in one)?.[name]);
      // Eight digits of a number are made when it is applied.
      const whole = text.replace(/\$\{substr\(md5\("[^)]*"\), 0, 8\)\}/, "0".repeat(8));
      expect(whole).toMatch(/^[a-z](-?[a-z0-9])*$/);
      expect(whole.length).toBeLessThanOrEqual(20);
    },
  );

  it("keeps names and texts of a model as data", async () => {
    const module = await moduleOf(described(hostileModel()));
    expect(misfits(module)).toEqual([]);
    const texts = textsIn(module);
    const escaped = hostileText.replaceAll(/([$%])\{/g, "$1$1{");
    expect(texts).toContain(escaped);
    expect(texts).toContain("__proto__");
    expect(texts).toContain(`constructor-${"x".repeat(150)}`);
    const mappings = Object.values(module.resource.aws_lambda_event_source_mapping ?? {});
    const [mapping] = mappings[0] as unknown as readonly [
      { filter_criteria: [{ filter: [{ pattern: string }] }] },
    ];
    const pattern = mapping.filter_criteria[0].filter[0].pattern;
    expect(JSON.parse(pattern.replaceAll(/([$%])\1\{/g, "$1{"))).toEqual({
      dynamodb: { [hostileText]: [hostileText] },
    });
    // IAM reads these signs in values, so they are said by their names, and Terraform reads none of it.
    const policy = bodyOf(module, "aws_iam_policy", "access_id").policy;
    expect(policy).toContain('["$${$}$${*}$${?}$${$}{$${aws:PrincipalTag/id}"]');
    // All tables have their own name.
    expect(Object.keys(module.resource.aws_dynamodb_table ?? {})).toEqual([
      "a_b_c_d",
      "a_b_c_d_2",
      `x_${"1".repeat(58)}`,
    ]);
    const names = Object.values(module.resource.aws_cloudwatch_metric_alarm ?? {}).map(
      ([one]) => one?.alarm_name,
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the kept schema", () => {
  it.each<[string, (module: Module) => void, string]>([
    ["a member that is not known", (m) => set(m, "hash_keys", ["PK"]), "hash_keys is unknown"],
    ["a wrong type", (m) => set(m, "stream_enabled", "yes"), 'stream_enabled is not a bool: "yes"'],
    ["a value that is none", (m) => set(m, "billing_mode", "FREE"), "billing_mode is none of its"],
    ["what is required", (m) => set(m, "name", undefined), "name is missing"],
    [
      "what conflicts",
      (m) => set(m, "restore_source_name", "a", "restore_backup_arn", "b"),
      "conf",
    ],
    ["what it needs", (m) => set(m, "stream_enabled", undefined), "stream_view_type needs stream_"],
    ["too many blocks", (m) => set(m, "ttl", [{}, {}]), "ttl is there 2 times"],
    ["a number", (m) => set(m, "warm_throughput", [{ read_units_per_second: 9 }]), "below 12000"],
    ["a form", (m) => set(m, "replica", [{ region_name: "here" }]), "region_name has not its form"],
    [
      "what is no longer written",
      (m) =>
        set(m, "global_secondary_index", [{ name: "a", projection_type: "ALL", hash_key: "PK" }]),
      "hash_key is deprecated",
    ],
    [
      "an attribute of no key",
      (m) => add(m, "attribute", { name: "x", type: "S" }),
      "x is not used",
    ],
    ["a key of no attribute", (m) => set(m, "range_key", "x"), "x is not defined"],
    ["what is not there", (m) => set(m, "tags", `\${aws_x.y.z}`), "aws_x.y.z is not there"],
    [
      "a member that is not there",
      (m) => set(m, "tags", `\${aws_dynamodb_table.shop.arms}`),
      "has no arms",
    ],
    ["a variable", (m) => set(m, "tags", `\${var.no}`), "var.no is not there"],
    ["a local", (m) => set(m, "tags", `\${local.no}`), "local.no is not there"],
    ["each without for_each", (m) => set(m, "tags", `\${each.key}`), "each is nothing here"],
    [
      "one of several",
      (m) => set(m, "tags", `\${aws_dynamodb_table.shop[each.key].arn}`),
      "[each.key].arn is one",
    ],
    ["all of several", (m) => set(m, "for_each", `\${toset([])}`), "is several"],
  ])("refuses %s", async (_, change, says) => {
    const module = await moduleNamed("online-shop");
    change(module);
    expect(misfits(module).join("\n")).toContain(says);
  });

  it("counts a name at its longest", async () => {
    const module = await moduleNamed("online-shop");
    const alarm = bodyOf(module, "aws_cloudwatch_metric_alarm", "shop_read_throttles");
    alarm.alarm_name = `\${var.project}\${var.environment}\${var.table_prefix}${"x".repeat(144)}`;
    expect(misfits(module).join("\n")).toContain("alarm_name is over 255");
  });
});

function cachedModel(table: string): Model {
  const { model, complaints } = modelFrom({
    keywright: 1,
    name: "cached",
    entities: { Thing: { id: ["id"], count: 1, attributes: { id: { type: "S", bytes: 5 } } } },
    design: {
      tables: { [table]: { key: { id: "S" }, dax: { node: "dax.t3.small", nodes: 1 } } },
    },
  } as unknown as ModelDocument);
  if (model === undefined) throw new Error(JSON.stringify(complaints));
  return model;
}

function set(module: Module, ...pairs: readonly unknown[]): void {
  const shop = bodyOf(module, "aws_dynamodb_table", "shop");
  for (let i = 0; i < pairs.length; i += 2) {
    const name = String(pairs[i]);
    if (pairs[i + 1] === undefined) delete shop[name];
    else shop[name] = pairs[i + 1];
  }
}

function add(module: Module, name: string, block: Body): void {
  const shop = bodyOf(module, "aws_dynamodb_table", "shop");
  shop[name] = [...(shop[name] as readonly Body[]), block];
}

import {
  type AccessPolicy,
  type AccessStatement,
  keyOperator,
  tagKey,
} from "../infrastructure/access.ts";
import type { Alarm } from "../infrastructure/alarms.ts";
import { listText, numberText } from "../lint/words.ts";
import { encryptionText } from "./design-table.ts";
import {
  type Block,
  code,
  fence,
  heading,
  joined,
  type Line,
  list,
  paragraph,
  spansOf,
  table,
} from "./markdown.ts";
import type { Material } from "./material.ts";
import { personalAttributes } from "./requirement-overview.ts";
import { patternList } from "./words.ts";

/** Who may do what, and how data is encrypted. */
export function securitySection(material: Material): readonly Block[] {
  const { model, tables, infrastructure } = material;
  const personal = personalAttributes(material);
  const { compliance, region } = model.overview;
  const periodic = new Set(
    tables.flatMap(({ name, periods }) => (periods === undefined ? [] : [name])),
  );
  return [
    heading(2, "Security"),
    ...list([
      ...tables.map(
        ({ name, encryption }): Line => [
          code(name),
          ` is encrypted at rest ${encryptionText(encryption)}.`,
        ],
      ),
      `Personal data: ${personal.length === 0 ? "no attribute is marked as personal" : listText(personal)}.`,
      `Rules that it is under: ${compliance.length === 0 ? "none are stated" : listText(compliance)}.`,
    ]),
    heading(3, "Least-privilege policies"),
    paragraph(
      "One for each scope that patterns have: the actions of their requests, on the tables, indexes and caches that they touch, with the keys that encrypt them, and nothing else. Where the partition key holds the scope's attribute, the policy binds it to the tag of that name of the caller's session. ACCOUNT stands for the number of the account.",
    ),
    ...(infrastructure?.policies ?? []).flatMap((policy) =>
      policyBlocks(policy, { region, periodic }),
    ),
  ];
}

interface Places {
  readonly region: string | undefined;
  /** Tables that have periods. */
  readonly periodic: ReadonlySet<string>;
}

function policyBlocks(policy: AccessPolicy, places: Places): readonly Block[] {
  const { scope, patterns, about, statements } = policy;
  const document = {
    Version: "2012-10-17",
    Statement: statements.map((one) => statementOf(one, places)),
  };
  return [
    heading(4, titleOf(policy)),
    paragraph([
      patterns.length === 0 ? `${about}.` : `For ${patternList(patterns)}.`,
      ...(scope.length === 0
        ? []
        : [
            " Tags of the session: ",
            ...spansOf(
              joined(
                scope.map((one) => code(tagKey(one))),
                ", ",
              ),
            ),
            ".",
          ]),
    ]),
    fence("json", JSON.stringify(document, undefined, 2)),
  ];
}

function titleOf({ scope, patterns }: AccessPolicy): Line {
  if (patterns.length === 0) return "Functions behind writes";
  return scope.length === 0
    ? "The application"
    : ["Scope ", ...spansOf(joined(scope.map(code), ", "))];
}

function statementOf(
  { on, table, index, actions, leadingKeys }: AccessStatement,
  { region, periodic }: Places,
): object {
  const place = `${region ?? "*"}:ACCOUNT`;
  // Of a table with periods there is one for each, with the period behind the name.
  const [name, equals] = periodic.has(table)
    ? ([`${table}-*`, "StringLike"] as const)
    : ([table, "StringEquals"] as const);
  if (on === "cache") {
    return { Effect: "Allow", Action: actions, Resource: `arn:aws:dax:${place}:cache/*` };
  }
  if (on === "key") {
    return {
      Effect: "Allow",
      Action: actions,
      Resource: `arn:aws:kms:${place}:key/*`,
      Condition: { [equals]: { "kms:EncryptionContext:aws:dynamodb:tableName": name } },
    };
  }
  const arn = `arn:aws:dynamodb:${place}:table/${name}`;
  return {
    Effect: "Allow",
    Action: actions,
    Resource: index === undefined ? arn : `${arn}/index/${index}`,
    ...(leadingKeys !== undefined && {
      Condition: { [keyOperator(leadingKeys)]: { "dynamodb:LeadingKeys": leadingKeys } },
    }),
  };
}

/** What somebody is to be told of. */
export function monitoringSection({ infrastructure }: Material): readonly Block[] {
  return [
    heading(2, "Monitoring"),
    paragraph("Alarms on CloudWatch's numbers, looked at by the minute."),
    table(
      ["Table, index or consumer", "Alarm", "Metric", "Threshold", "For", "Means"],
      (infrastructure?.tables ?? []).flatMap(({ table: { name }, alarms }) =>
        alarms.map((alarm) => alarmRow(name, alarm)),
      ),
      { otherwise: "There is nothing to watch." },
    ),
  ];
}

function alarmRow(name: string, alarm: Alarm): readonly Line[] {
  const { what, index, consumer, metric, statistic, operations } = alarm;
  const { threshold, above, minutes, description } = alarm;
  const part = index ?? consumer;
  const how = operations === undefined ? statistic.toLowerCase() : "sum of all operations";
  return [
    part === undefined ? name : `${name}.${part}`,
    what,
    [code(metric), `, ${how}`],
    `${above ? "above" : "from"} ${numberText(threshold)}${above ? "" : " on"}`,
    minutes === 1 ? "1 minute" : `${minutes} minutes`,
    description,
  ];
}

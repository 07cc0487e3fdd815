import type { AccessPolicy, AccessStatement } from "../infrastructure/access.ts";
import { tagKey } from "../infrastructure/access.ts";
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
      "One for each scope that patterns have: the actions of their requests, on the tables and indexes that they touch, and nothing else. Where the partition key holds the scope's attribute, the policy binds it to the tag of that name of the caller's session. ACCOUNT stands for the number of the account.",
    ),
    ...(infrastructure?.policies ?? []).flatMap((policy) => policyBlocks(policy, region)),
  ];
}

function policyBlocks(policy: AccessPolicy, region: string | undefined): readonly Block[] {
  const { scope, patterns, statements } = policy;
  const document = {
    Version: "2012-10-17",
    Statement: statements.map((one) => statementOf(one, region)),
  };
  return [
    heading(
      4,
      scope.length === 0 ? "The application" : ["Scope ", ...spans(joined(scope.map(code), ", "))],
    ),
    paragraph([
      `For ${patternList(patterns)}.`,
      ...(scope.length === 0
        ? []
        : [
            " Tags of the session: ",
            ...spans(
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

function spans(line: Line) {
  return Array.isArray(line) ? line : [line as string];
}

function statementOf(
  { table: name, index, actions, leadingKeys }: AccessStatement,
  region: string | undefined,
): object {
  const arn = `arn:aws:dynamodb:${region ?? "*"}:ACCOUNT:table/${name}`;
  return {
    Effect: "Allow",
    Action: actions,
    Resource: index === undefined ? arn : `${arn}/index/${index}`,
    ...(leadingKeys !== undefined && {
      Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": leadingKeys } },
    }),
  };
}

/** What somebody is to be told of. */
export function monitoringSection({ infrastructure }: Material): readonly Block[] {
  return [
    heading(2, "Monitoring"),
    paragraph("Alarms on CloudWatch's numbers, each the sum of a minute."),
    table(
      ["Table or index", "Alarm", "Metric", "Threshold", "For", "Means"],
      (infrastructure?.tables ?? []).flatMap(({ table: { name }, alarms }) =>
        alarms.map((alarm) => alarmRow(name, alarm)),
      ),
      { otherwise: "There is nothing to watch." },
    ),
  ];
}

function alarmRow(
  name: string,
  { what, index, metric, operations, threshold, above, minutes, description }: Alarm,
): readonly Line[] {
  return [
    index === undefined ? name : `${name}.${index}`,
    what,
    operations === undefined ? code(metric) : [code(metric), `, all operations together`],
    `${above ? "above" : "from"} ${numberText(threshold)}${above ? "" : " on"}`,
    `${minutes} minutes`,
    description,
  ];
}

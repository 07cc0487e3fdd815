import { type Condition, expressionsOf, type WrittenExpressions } from "./conditions.ts";
import type { UpdateBuilder } from "./expression.ts";
import type { Attributes } from "./values.ts";

/** Members of a transaction, as TransactWriteItems takes them. */

export interface PutMember {
  Put: { TableName: string; Item: Record<string, unknown> } & WrittenExpressions;
}

export interface UpdateMember {
  Update: {
    TableName: string;
    Key: Record<string, unknown>;
    UpdateExpression: string;
  } & WrittenExpressions;
}

export interface DeleteMember {
  Delete: { TableName: string; Key: Record<string, unknown> } & WrittenExpressions;
}

export interface CheckMember {
  ConditionCheck: {
    TableName: string;
    Key: Record<string, unknown>;
    ConditionExpression: string;
  } & WrittenExpressions;
}

export type TransactMember = PutMember | UpdateMember | DeleteMember | CheckMember;

/** What the expressions of a member were made of, so that more can be added to them. */
export interface MemberParts {
  readonly update?: UpdateBuilder;
  readonly condition?: Condition | undefined;
}

const parts = new WeakMap<TransactMember, MemberParts>();

export function partsOf(member: TransactMember): MemberParts {
  return parts.get(member) ?? {};
}

export function putMember(table: string, item: Attributes, condition?: Condition): PutMember {
  return { Put: { TableName: table, Item: { ...item }, ...expressionsOf({ condition }) } };
}

export function updateMember(
  table: string,
  key: Attributes,
  update: UpdateBuilder,
  condition?: Condition,
): UpdateMember {
  const UpdateExpression = update.text();
  const written = expressionsOf({ update, condition });
  const member = { Update: { TableName: table, Key: { ...key }, ...written, UpdateExpression } };
  parts.set(member, { update, condition });
  return member;
}

export function deleteMember(table: string, key: Attributes, condition?: Condition): DeleteMember {
  return { Delete: { TableName: table, Key: { ...key }, ...expressionsOf({ condition }) } };
}

/** An item that is not written, of which something must hold. */
export function checkMember(table: string, key: Attributes, condition: Condition): CheckMember {
  const written = expressionsOf({ condition });
  const ConditionExpression = written.ConditionExpression ?? "";
  const Key = { ...key };
  const member = { ConditionCheck: { TableName: table, Key, ...written, ConditionExpression } };
  parts.set(member, { condition });
  return member;
}

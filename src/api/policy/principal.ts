import { principalInvalid } from "../errors/policy.ts";

export interface Principal {
  /** In the service's own form. */
  readonly told: unknown;
  readonly everybody: boolean;
  /** The account itself, with all that belongs to it. */
  readonly account: boolean;
}

const accountId = /^\d{12}$/;
const identity =
  /^arn:aws[a-z-]*:(iam::\d{12}:(root|(user|role)\/.+)|sts::\d{12}:(assumed-role|federated-user)\/.+)$/;
const serviceName = /^[a-z0-9.-]+\.amazonaws\.com(\.cn)?$/;

const kinds = ["AWS", "Service", "Federated", "CanonicalUser"];

/** Whom a statement is about; undefined if it is written in a way that nobody reads. */
export function readPrincipal(given: unknown, account: string): Principal | undefined {
  if (given === "*") return { told: "*", everybody: true, account: false };
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const entries = Object.entries(given).map(([kind, value]): [string, unknown[]] => [
    kind,
    Array.isArray(value) ? value : [value],
  ]);
  if (entries.length === 0 || !entries.every(isReadable)) return undefined;
  const told = entries.map(([kind, names]): [string, readonly string[]] => [
    kind,
    namesOf(kind, names as string[]),
  ]);
  const people = told.flatMap(([kind, names]) => (kind === "AWS" ? names : []));
  return {
    told: Object.fromEntries(
      told.map(([kind, names]) => [kind, names.length === 1 ? names[0] : names]),
    ),
    everybody: people.includes("*"),
    account: people.includes(rootOf(account)),
  };
}

function isReadable([kind, names]: [string, unknown[]]): boolean {
  return (
    kinds.includes(kind) && names.length > 0 && names.every((name) => typeof name === "string")
  );
}

/** An account is told by the ARN of its root, and nobody is told twice. */
function namesOf(kind: string, names: readonly string[]): readonly string[] {
  if (kind === "Service" && !names.every((name) => serviceName.test(name))) {
    throw principalInvalid();
  }
  if (kind !== "AWS") return names;
  const told = names.map((name) => (accountId.test(name) ? rootOf(name) : name));
  if (!told.every((name) => name === "*" || identity.test(name))) throw principalInvalid();
  return [...new Set(told)];
}

const rootOf = (account: string): string => `arn:aws:iam::${account}:root`;

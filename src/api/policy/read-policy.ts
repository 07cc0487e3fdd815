import * as errors from "../errors/policy.ts";
import { resourcePolicyBytesMax } from "../limits.ts";
import { isAction, isActionOf } from "./actions.ts";
import { endOf, type Place, placeOf } from "./place.ts";
import { readPrincipal } from "./principal.ts";
import { matches } from "./wildcards.ts";

/** What a policy is for. */
export interface PolicySubject {
  readonly kind: "table" | "stream";
  readonly arn: string;
  readonly account: string;
}

export interface ReadPolicy {
  /** As the service tells it: without spaces, in its own order, lists of one without the list. */
  readonly document: string;
  readonly versionless: boolean;
  /** Whether it forbids whoever puts it to put another one. */
  readonly locksOut: boolean;
}

type Json = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

const defaultVersion = "2008-10-17";
const versions = [defaultVersion, "2012-10-17"];
const statementMembers = [
  "Sid",
  "Effect",
  "Principal",
  "NotPrincipal",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Condition",
];

/** Checks the text of a policy. Throws if it is none, or one that the subject cannot have. */
export function readPolicy(text: string, subject: PolicySubject): ReadPolicy {
  if (Buffer.byteLength(text) > resourcePolicyBytesMax) throw errors.policyTooLarge();
  return new Reader(text, subject).read();
}

class Reader {
  readonly #text: string;
  readonly #subject: PolicySubject;

  constructor(text: string, subject: PolicySubject) {
    this.#text = text;
    this.#subject = subject;
  }

  read(): ReadPolicy {
    const policy = this.#parse();
    this.#onlyKnown(policy, ["Version", "Id", "Statement"], []);
    const { Version: version, Id: id, Statement: given } = policy;
    if (given === undefined) throw syntaxError(endOf(this.#text));
    if (version !== undefined && !versions.includes(version as string)) {
      throw errors.policyVersionInvalid();
    }
    if (id !== undefined && typeof id !== "string") throw this.#unexpected(["Id"]);
    const list = Array.isArray(given) ? (given as unknown[]) : [given];
    if (list.length === 0) throw errors.policyWithoutStatement();
    const statements = list.map((one, i) => this.#statement(one, ["Statement", i]));
    this.#uniqueIds(statements);
    if (statements.some(({ grantsAll }) => grantsAll)) throw errors.unboundedAccess();
    return {
      document: JSON.stringify({
        Version: version ?? defaultVersion,
        ...(id !== undefined && { Id: id }),
        Statement: statements.map(({ told }) => told),
      }),
      versionless: version === undefined,
      locksOut: statements.some(({ locksOut }) => locksOut),
    };
  }

  #parse(): Json {
    let parsed: unknown;
    try {
      parsed = JSON.parse(this.#text);
    } catch {
      throw errors.policyNotJson();
    }
    if (parsed === null) throw errors.policyIsNull();
    if (!isObject(parsed)) throw errors.policyNotJson();
    return parsed;
  }

  #statement(given: unknown, path: Path): Statement {
    if (!isObject(given)) throw this.#unexpected(path);
    this.#onlyKnown(given, statementMembers, path);
    if (given.Effect === undefined) throw errors.policyFieldMissing("Effect");
    const allows = this.#effect(given.Effect, [...path, "Effect"]) === "Allow";
    const { Sid: sid, Condition: condition } = given;
    if (sid !== undefined && typeof sid !== "string") throw this.#unexpected([...path, "Sid"]);
    const who = this.#either(given, "Principal", path);
    const principal = readPrincipal(who.value, this.#subject.account);
    if (principal === undefined) throw this.#unexpected([...path, who.name]);
    const what = this.#either(given, "Action", path);
    const actions = this.#texts(what.value, [...path, what.name]);
    const invalidActions = actions.filter((action) => !isAction(action, this.#subject.kind));
    if (invalidActions.length > 0) throw errors.actionsInvalid(invalidActions);
    const where = this.#either(given, "Resource", path);
    const resources = this.#texts(where.value, [...path, where.name]);
    for (const resource of resources) this.#checkResource(resource);
    const unconditional = condition === undefined;
    const reachesAll = who.name === "Principal" && principal.everybody;
    return {
      sid,
      grantsAll: allows && reachesAll && unconditional,
      locksOut:
        !allows &&
        unconditional &&
        who.name === "Principal" &&
        (principal.everybody || principal.account) &&
        coversPut(what.name, actions) &&
        this.#coversSubject(where.name, resources),
      told: {
        ...(sid !== undefined && { Sid: sid }),
        Effect: allows ? "Allow" : "Deny",
        [who.name]: principal.told,
        [what.name]: single(actions),
        [where.name]: single(resources),
        ...(!unconditional && { Condition: this.#condition(condition, [...path, "Condition"]) }),
      },
    };
  }

  #effect(given: unknown, path: Path): "Allow" | "Deny" {
    if (typeof given !== "string") throw this.#unexpected(path);
    const effect = given.toLowerCase();
    if (effect !== "allow" && effect !== "deny") throw this.#unexpected(path);
    return effect === "allow" ? "Allow" : "Deny";
  }

  /** A member or its opposite; one of them has to be there, and not both. */
  #either(given: Json, name: "Principal" | "Action" | "Resource", path: Path): Choice {
    const opposite = `Not${name}`;
    const has = given[name] !== undefined;
    const hasOpposite = given[opposite] !== undefined;
    if (!has && !hasOpposite) throw errors.policyFieldMissing(name);
    if (has && hasOpposite) throw this.#unexpected([...path, opposite]);
    const chosen = has ? name : opposite;
    return { name: chosen, value: given[chosen] };
  }

  #texts(given: unknown, path: Path): readonly string[] {
    const list: unknown[] = Array.isArray(given) ? given : [given];
    if (list.length === 0 || !list.every((one) => typeof one === "string")) {
      throw this.#unexpected(path);
    }
    return list as string[];
  }

  #checkResource(resource: string): void {
    if (resource === "*") return;
    const parts = resource.split(":");
    const relativeId = parts.slice(5).join(":");
    if (parts.length < 6 || parts[0] !== "arn") throw errors.resourceNotArn(resource);
    const ofStream = relativeId.includes("/stream/");
    const wild = /[*?]/.test(relativeId);
    const fits =
      this.#subject.kind === "table"
        ? !ofStream && /^table\/[^/]+(\/index\/[^/]+)?$/.test(relativeId)
        : /^table\/[^/]+\/stream\/[^/]+$/.test(relativeId);
    const mayFit = wild && (this.#subject.kind === "stream" || !ofStream);
    if (!fits && !mayFit) throw errors.resourceInvalid(relativeId, resource);
  }

  #coversSubject(name: string, resources: readonly string[]): boolean {
    const named = resources.some((resource) => matches(resource, this.#subject.arn));
    return name === "Resource" ? named : !named;
  }

  /** Operators, under them keys, under them texts. */
  #condition(given: unknown, path: Path): object {
    if (!isObject(given)) throw this.#unexpected(path);
    return mapped(given, (keys, operator) => {
      if (!isObject(keys)) throw this.#unexpected([...path, operator]);
      return mapped(keys, (value, key) => {
        const list: unknown[] = Array.isArray(value) ? value : [value];
        if (!list.every((one) => ["string", "number", "boolean"].includes(typeof one))) {
          throw this.#unexpected([...path, operator, key]);
        }
        return single(list.map(String));
      });
    });
  }

  #uniqueIds(statements: readonly Statement[]): void {
    const ids = statements.map(({ sid }) => sid).filter((sid) => sid !== undefined);
    if (new Set(ids).size < ids.length) throw errors.statementIdTwice();
  }

  #onlyKnown(given: Json, known: readonly string[], path: Path): void {
    const stranger = Object.keys(given).find((name) => !known.includes(name));
    if (stranger !== undefined) throw this.#unexpected([...path, stranger]);
  }

  #unexpected(path: Path): Error {
    return syntaxError(placeOf(this.#text, path));
  }
}

interface Choice {
  readonly name: string;
  readonly value: unknown;
}

interface Statement {
  readonly sid: string | undefined;
  readonly told: object;
  readonly grantsAll: boolean;
  readonly locksOut: boolean;
}

const syntaxError = ({ line, column }: Place): Error => errors.policySyntax(line, column);

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names are hostile: `fromEntries` makes members of them all, whatever they are called. */
function mapped(given: Json, change: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, change(value, name)]),
  );
}

const single = (list: readonly string[]): string | readonly string[] =>
  list.length === 1 ? (list[0] as string) : list;

function coversPut(name: string, actions: readonly string[]): boolean {
  const named = actions.some((action) => isActionOf(action, "PutResourcePolicy"));
  return name === "Action" ? named : !named;
}

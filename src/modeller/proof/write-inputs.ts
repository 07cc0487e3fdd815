import type { SeededRandom } from "../../base/random.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Action, Attribute, Entity, Operand, Pattern } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import { linkOf } from "../plans/links.ts";
import { type Given, passes } from "../requests/given.ts";
import { referencesOf } from "../values/references.ts";
import type { EntityValues, Writing } from "../values/render-key.ts";
import type { State } from "./oracle.ts";

/** One of a list that fits, or nothing if none does. */
export type Choose = (
  list: readonly EntityValues[],
  purpose: "like" | "target" | "value",
  fits: (one: EntityValues) => boolean,
) => EntityValues | undefined;

/** What a write pattern is handed, so that it does what it is for. Entities are drawn, if nobody chooses them. */
export function writeInputs(
  facts: Facts,
  pattern: Pattern,
  state: State,
  random: SeededRandom,
  writing: Writing,
  choose: Choose = drawing(random),
): Given | undefined {
  const making = new Making(facts, pattern, state, random, choose);
  return making.given(writing);
}

function drawing(random: SeededRandom): Choose {
  return (list, _, fits) => {
    const fitting = list.filter(fits);
    return fitting[random.below(fitting.length)];
  };
}

const any = (): boolean => true;

class Making {
  private readonly facts: Facts;
  private readonly pattern: Pattern;
  private readonly state: State;
  private readonly random: SeededRandom;
  private readonly choose: Choose;
  private readonly references: ReturnType<typeof referencesOf>;
  private readonly parameters = new Map<string, readonly AttributeValue[]>();
  private readonly items = new Map<string, EntityValues[]>();

  constructor(facts: Facts, pattern: Pattern, state: State, random: SeededRandom, choose: Choose) {
    this.facts = facts;
    this.pattern = pattern;
    this.state = state;
    this.random = random;
    this.choose = choose;
    this.references = referencesOf(facts.model);
  }

  given(writing: Writing): Given | undefined {
    const { pattern } = this;
    const created = pattern.actions.filter(({ kind }) => kind === "create");
    for (const { entity, average } of created) {
      const count = Math.max(1, Math.round(average.value * Math.min(3, pattern.batch?.value ?? 1)));
      if (!this.create(entity, count)) return undefined;
    }
    for (const { entity } of pattern.actions[0]?.kind === "create" ? pattern.with : []) {
      this.create(entity, 2);
    }
    for (const action of pattern.actions) {
      if (action.kind !== "create" && !this.aim(action)) return undefined;
    }
    return {
      parameters: this.parameters,
      items: (entity) => this.items.get(entity) ?? [],
      writing,
    };
  }

  /** New entities like those there are, with other ids, and belonging to what is created with them. */
  private create(name: string, count: number): boolean {
    const entity = this.facts.model.entities.get(name) as Entity;
    const list = this.items.get(name) ?? [];
    this.items.set(name, list);
    for (let i = 0; i < count; i += 1) {
      const like = this.choose(this.state.get(name) ?? [], "like", any);
      if (like === undefined) return false;
      const item = new Map(like);
      for (const [other, made] of this.items) {
        const [owner] = made;
        const parent = this.facts.model.entities.get(other) as Entity;
        if (other === name || owner === undefined) continue;
        for (const [theirs, binding] of linkOf(this.facts, parent, entity, [], new Map(), 0)) {
          const value = binding.kind === "result" ? owner.get(binding.attribute) : undefined;
          if (value !== undefined) item.set(theirs, value);
        }
      }
      this.makeNew(entity, item, list);
      list.push(item);
    }
    return true;
  }

  private makeNew(
    entity: Entity,
    item: Map<string, AttributeValue>,
    beside: readonly EntityValues[],
  ): void {
    // An id with several parts is repeated by those that belong to it, too.
    const refers = new Set(
      this.references
        .get(entity.name)
        ?.all.flatMap(({ attributes }) => attributes.map(({ own }) => own)),
    );
    const linked = new Set(
      entity.id.filter(
        (name) => refers.has(name) || this.facts.cardinality.parentOf(entity, name) !== undefined,
      ),
    );
    const own = entity.id.filter((name) => !linked.has(name));
    const before = this.state.get(entity.name) ?? [];
    const ids = idsOf(entity, before);
    const isTaken = (): boolean =>
      ids.has(idText(entity, item)) ||
      beside.some((one) => idText(entity, one) === idText(entity, item));
    for (let round = 0; round < 200 && (round === 0 || isTaken()); round += 1) {
      for (const name of own) {
        const value = item.get(name);
        if (value !== undefined)
          item.set(name, this.other(entity.attributes.get(name) as Attribute, value));
      }
      for (const name of own.length === 0 ? linked : []) {
        const value = this.choose(before, "value", any)?.get(name);
        if (value !== undefined) item.set(name, value);
      }
    }
    const version = [...(this.facts.model.design?.tables.values() ?? [])].find(
      ({ versioning }) => versioning?.entity === entity.name,
    )?.versioning?.attribute;
    if (version !== undefined)
      item.set(version, nextVersion(entity, version, item, [...before, ...beside]));
    for (const { name, unique } of entity.attributes.values()) {
      const value = item.get(name);
      if (unique && value !== undefined && !entity.id.includes(name)) {
        item.set(name, this.other(entity.attributes.get(name) as Attribute, value));
      }
    }
  }

  /** A value of the same size that nobody has, as far as chance goes. */
  private other({ format, digits, values }: Attribute, value: AttributeValue): AttributeValue {
    if (values !== undefined) {
      const one = values[this.random.below(values.length)]?.value;
      return "N" in value ? { N: String(one) } : { S: String(one) };
    }
    if ("N" in value) {
      const length = Math.max(1, Math.min(digits ?? value.N.length, 9));
      return { N: String(1 + this.random.below(10 ** length - 1)) };
    }
    if (!("S" in value)) return value;
    const alphabet = format === "uuid" ? "0123456789abcdef" : "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    if (format === "iso-date" || format === "iso-time") {
      const time = Date.parse(value.S) - this.random.below(3_600_000);
      return { S: new Date(time).toISOString().slice(0, value.S.length) };
    }
    const length = Math.min(value.S.length, 8);
    const draw = (): string => alphabet[this.random.below(alphabet.length)] as string;
    const tail = Array.from({ length }, draw).join("");
    const lower = value.S === value.S.toLowerCase() ? tail.toLowerCase() : tail;
    return { S: value.S.slice(0, value.S.length - length) + lower };
  }

  /** Parameters for what an action changes: something that there is and that its condition allows. */
  private aim(action: Action): boolean {
    const entity = this.facts.model.entities.get(action.entity) as Entity;
    const count = Math.max(
      1,
      Math.round(action.average.value * Math.min(3, this.pattern.batch?.value ?? 1)),
    );
    const known: Given = {
      parameters: new Map(),
      items: () => [],
      writing: { shard: () => 0, now: 0 },
    };
    const { condition } = action;
    const constant = [
      ...action.where,
      ...(condition?.kind === "where" ? condition.predicates : []),
    ].filter(({ operands }) => operands.every(({ kind }) => kind === "constant"));
    const all = this.state.get(action.entity) ?? [];
    const targets: EntityValues[] = [];
    for (let i = 0; i < count * 4 && targets.length < count; i += 1) {
      const one = this.choose(
        all,
        "target",
        (values) =>
          passes(known, entity.attributes, constant, values) && this.belongs(action, values),
      );
      if (one !== undefined && !targets.includes(one)) targets.push(one);
    }
    if (targets.length === 0) return false;
    const asked = [
      ...action.where,
      ...(action.condition?.kind === "where" ? action.condition.predicates : []),
    ];
    for (const { attribute, operands } of asked) {
      const values = targets.flatMap((one) => one.get(attribute) ?? []);
      for (const operand of operands) this.tell(operand, values);
    }
    if (action.condition?.kind === "version") {
      const { attribute } = action.condition;
      this.parameters.set(
        attribute,
        targets.flatMap((one) => one.get(attribute) ?? []),
      );
    }
    for (const { attribute, to } of action.changes) {
      const described = entity.attributes.get(attribute) as Attribute;
      const like = this.choose(all, "value", (one) => one.has(attribute))?.get(attribute);
      this.tell(to, [like === undefined ? plainValue(described) : this.other(described, like)]);
    }
    for (const attribute of action.appends)
      this.parameters.set(attribute, [more(entity, attribute)]);
    return true;
  }

  /** What is created with it names it. */
  private belongs(action: Action, values: EntityValues): boolean {
    for (const { attribute } of action.where) {
      for (const [name, made] of this.items) {
        const value = name === action.entity ? undefined : made[0]?.get(attribute);
        if (value === undefined || action.average.value > 1) continue;
        if (JSON.stringify(value) !== JSON.stringify(values.get(attribute))) return false;
      }
    }
    return true;
  }

  private tell(operand: Operand, values: readonly AttributeValue[]): void {
    if (operand.kind === "parameter") this.parameters.set(operand.name, values);
  }
}

const idText = ({ id }: Entity, values: EntityValues): string =>
  JSON.stringify(id.map((name) => values.get(name)));

const knownIds = new WeakMap<readonly EntityValues[], ReadonlySet<string>>();

/** The ids that are taken; worked out once for a list. */
function idsOf(entity: Entity, list: readonly EntityValues[]): ReadonlySet<string> {
  const ids = knownIds.get(list) ?? new Set(list.map((values) => idText(entity, values)));
  knownIds.set(list, ids);
  return ids;
}

function more(entity: Entity, attribute: string): AttributeValue {
  const type = entity.attributes.get(attribute)?.type;
  if (type === "SS") return { SS: ["more"] };
  if (type === "NS") return { NS: ["77"] };
  return type === "BS" ? { BS: ["bW9yZQ=="] } : { L: [{ S: "more" }] };
}

/** A value of a type, where no entity has one to go by. */
function plainValue({ type }: Attribute): AttributeValue {
  if (type === "N") return { N: "7" };
  if (type === "B") return { B: "Nw==" };
  if (type === "BOOL") return { BOOL: true };
  if (type === "M") return { M: {} };
  return type === "L" ? { L: [] } : { S: "seven" };
}

/** One more than the newest of the same thing. */
function nextVersion(
  entity: Entity,
  version: string,
  item: EntityValues,
  all: readonly EntityValues[],
): AttributeValue {
  const rest = entity.id.filter((name) => name !== version);
  const numbers = all
    .filter((one) =>
      rest.every((name) => JSON.stringify(one.get(name)) === JSON.stringify(item.get(name))),
    )
    .map((one) => {
      const value = one.get(version);
      return value !== undefined && "N" in value ? Number(value.N) : 0;
    });
  return { N: String(Math.max(0, ...numbers) + 1) };
}

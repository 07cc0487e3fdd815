import type { Attribute, Entity, Operand, Predicate } from "../../model/requirements.ts";
import type { Facts } from "../facts.ts";
import type { Binding, Bindings, Plan, ReadRequest } from "../plans/plan.ts";
import type { StoredRecord } from "../records/record.ts";
import { type Inputs, inputMembers, type KeyGroup } from "./inputs.ts";
import type { Use, ValueCode } from "./key-code.ts";
import type { Names } from "./names.ts";
import { constantFor, type OperandCode } from "./predicate-code.ts";
import { homeOf } from "./runtime-names.ts";
import {
  arrayCode,
  arrowCode,
  callCode,
  constCode,
  type Imports,
  literal,
  memberOf,
} from "./source.ts";
import { attributeType, documentTypes } from "./types.ts";

/** What a read brought, and the variable that holds it. */
export interface Brought {
  readonly variable: string;
  /**
   * `one`: an item or undefined. `list`: items. `aligned`: an item or undefined in the place of each key. `groups`: a list of
   * items for each parent. `entity`, `entities`: the same as `one` and `list`, already read from their items.
   */
  readonly shape: "one" | "list" | "aligned" | "groups" | "entity" | "entities";
  readonly record: StoredRecord;
  readonly request: ReadRequest;
}

export interface Loop {
  readonly over: string;
  readonly as: string;
  /** The items of an earlier read are gone through, and this is where they are from. */
  readonly from?: Brought;
  /** The keys of a batch are gone through. */
  readonly group?: KeyGroup;
}

/** What the values of one item or request are resolved with. */
interface Resolving {
  /** The list of some keys of a batch. */
  readonly keys: (group: KeyGroup) => string;
  /** The variable of a loop over a list. */
  readonly loop: (over: string, origin?: Pick<Loop, "from" | "group">) => string;
  readonly needs: Set<Brought>;
  readonly item: string | undefined;
  /** Attributes of what an earlier read brought that may have no value: nothing is read by them then. */
  readonly gaps: (request: number) => readonly string[];
  /** Tests of a single row for such an attribute. */
  readonly missing: Set<string>;
}

/** Values for attributes: code for each that is known, in loops where there are several. */
export interface Resolved {
  readonly codeFor: ValueCode;
  readonly loops: readonly Loop[];
  /** Earlier reads that must have brought something. */
  readonly needs: readonly Brought[];
  /** Tests that hold if one of the values is missing. */
  readonly missing: readonly string[];
}

/** One function that is being written, and the file that it is in. */
export class Scope {
  readonly facts: Facts;
  readonly names: Names;
  readonly plan: Plan;
  readonly inputs: Inputs;
  readonly imports: Imports;
  readonly brought: (Brought | undefined)[] = [];

  constructor(facts: Facts, names: Names, plan: Plan, inputs: Inputs, imports: Imports) {
    this.facts = facts;
    this.names = names;
    this.plan = plan;
    this.inputs = inputs;
    this.imports = imports;
  }

  readonly use: Use = (helper) => this.imports.value(helper, `../runtime/${homeOf(helper)}.js`);
  readonly useKey: Use = (name) => this.imports.value(name, "../keys.js");
  readonly useItem: Use = (name) => this.imports.value(name, "../items.js");
  readonly useType: Use = (name) => this.imports.type(name, "../entities.js");

  readonly #before = new Map<Brought, string>();
  #written = 0;

  /** The variable for what an item was before it is changed; undefined if there is none. */
  before(brought: Brought): string {
    const known =
      this.#before.get(brought) ??
      (this.#before.size === 0 ? "before" : `before${this.#before.size + 1}`);
    this.#before.set(brought, known);
    return known;
  }

  /** The statements for such variables, each once. */
  befores(): readonly string[] {
    const all = [...this.#before].slice(this.#written);
    this.#written = this.#before.size;
    const hoisted = [...this.#hoisted].slice(this.#placed);
    this.#placed = this.#hoisted.size;
    return [
      ...all.map(([brought, before]) => {
        const { variable } = brought;
        const entity = this.entityIn(brought, variable);
        return constCode(before, `${variable} === undefined ? undefined : ${entity}`);
      }),
      ...hoisted.map(([code, variable]) => constCode(variable, code)),
    ];
  }

  readonly #hoisted = new Map<string, string>();
  #placed = 0;

  /** A variable for a test that is asked more than once. */
  hoist(word: string, code: string): string {
    const known = this.#hoisted.get(code) ?? this.names.variable(word);
    this.#hoisted.set(code, known);
    return known;
  }

  /** A type's text, with the names in it taken into the file. */
  useTypes(type: string): string {
    for (const name of documentTypes) if (type.includes(name)) this.useType(name);
    return type;
  }

  /** The rows that a read brought, as one list. */
  rows({ shape, variable }: Brought): string {
    if (shape === "aligned") return `${this.use("thereOf")}(${variable})`;
    return shape === "groups" ? `${variable}.flat()` : variable;
  }

  /** The entity in a row of what a read brought. */
  entityIn({ shape, record }: Brought, row: string): string {
    return shape === "entity" || shape === "entities" ? row : this.told(record, row);
  }

  /** What is told by an item of a kind. */
  told(record: StoredRecord, item: string): string {
    return `${this.useItem(this.names.of(record, "of"))}(${item})`;
  }

  /** The keys that a batch is about, and the variable that holds one of them, where code is made that is about that one. */
  #row: { readonly group: KeyGroup; readonly variable: string } | undefined;

  /** Makes code about one of the keys of a batch. */
  #forRow<T>(
    row: { readonly group: KeyGroup; readonly variable: string } | undefined,
    make: () => T,
  ): T {
    const before = this.#row;
    this.#row = row;
    const made = make();
    this.#row = before;
    return made;
  }

  /** Makes code in loops, one of which may go through the keys of a batch. */
  inLoops<T>(loops: readonly Loop[], make: () => T): T {
    const [row] = loops.flatMap(({ group, as }) => (group ? [{ group, variable: as }] : []));
    return this.#forRow(row, make);
  }

  /** Tests of an item, by predicate. What belongs together in the keys of a batch is one test: an item fits one of the keys. */
  tests(filter: readonly Predicate[], make: (predicate: Predicate) => string): readonly string[] {
    const groupOf = ({ operator, operands }: Predicate): KeyGroup | undefined =>
      operator === "equals"
        ? operands.map((one) => this.#groupOf(one)).find((one) => one !== undefined)
        : undefined;
    const groups = new Set(filter.flatMap((one) => groupOf(one) ?? []));
    const all = this.plan.pattern.actions.flatMap(({ where }) => where);
    return [
      ...filter.filter((one) => groupOf(one) === undefined).map(make),
      ...[...groups].map((group) => {
        const own = all.filter((one) => groupOf(one) === group);
        const tests = this.#forRow({ group, variable: "each" }, () => own.map(make).join(" && "));
        return `${this.#listOf(group)}.some((each) => ${tests})`;
      }),
    ];
  }

  /** The group of keys that an operand is a member of. */
  #groupOf(operand: { readonly kind: string; readonly name?: string }): KeyGroup | undefined {
    const { kind, name } = operand;
    return kind === "parameter" && name !== undefined
      ? this.inputs.groups.find(({ of }) => of.includes(name))
      : undefined;
  }

  /** The code of an operand in a condition. */
  operand(operand: Operand, attribute: Attribute): OperandCode {
    if (operand.kind === "constant") {
      return { code: constantFor(attribute, operand.value), isList: false };
    }
    const group = this.#groupOf(operand);
    if (group !== undefined) {
      if (this.#row?.group === group) {
        return { code: memberOf(this.#row.variable, operand.name), isList: false };
      }
      const values = `${this.#listOf(group)}.map((each) => ${memberOf("each", operand.name)})`;
      return { code: `[...new Set(${values})]`, isList: true };
    }
    const isList = this.inputs.parameters.get(operand.name)?.isList === true;
    return { code: memberOf("input", operand.name), isList };
  }

  /** Code for the values that some attributes are bound to. */
  resolve(
    entity: Entity,
    bindings: Bindings,
    names: readonly string[],
    item?: string,
    /**
     * `read`: the keys of what is read, each once and none without a value. `checked`: the keys of what is only checked, each once
     * with what these conditions compare.
     */
    use?: { readonly areRead: true } | { readonly checked: readonly Predicate[] },
  ): Resolved {
    const codes = new Map<string, string>();
    const loops: Loop[] = [];
    const needs = new Set<Brought>();
    const bound = names.flatMap((name) => bindings.get(name) ?? []);
    const areRead = use !== undefined && "areRead" in use;
    const asked =
      use !== undefined && "checked" in use ? use.checked.flatMap((one) => one.operands) : [];
    const keys = (group: KeyGroup): string =>
      use === undefined ? this.#listOf(group) : this.#distinctKeys(group, bound, asked);
    const missing = new Set<string>();
    const gaps = (request: number): readonly string[] =>
      areRead ? this.#gapsIn(request, bound) : [];
    const variables = ["one", "another", "third", "fourth", "fifth"];
    const loop: Resolving["loop"] = (over, origin) => {
      const known = loops.find((one) => one.over === over);
      if (known !== undefined) return known.as;
      const as = variables[loops.length] ?? `more${loops.length}`;
      loops.push({ over, as, ...origin });
      return as;
    };
    for (const name of names) {
      const binding = bindings.get(name);
      const attribute = entity.attributes.get(name);
      if (binding === undefined || attribute === undefined) continue;
      const code = this.#bound(attribute, binding, { keys, loop, needs, item, gaps, missing });
      if (code !== undefined) codes.set(name, code);
    }
    return { codeFor: (name) => codes.get(name), loops, needs: [...needs], missing: [...missing] };
  }

  #bound(
    attribute: Attribute,
    binding: Binding,
    { keys, loop, needs, item, gaps, missing }: Resolving,
  ): string | undefined {
    switch (binding.kind) {
      case "constant":
        return constantFor(attribute, binding.value);
      case "parameter":
        return this.#parameter(binding.name, keys, loop);
      case "each": {
        const [only] = binding.operands;
        if (only?.kind === "parameter" && binding.operands.length === 1) {
          return this.#parameter(only.name, keys, loop);
        }
        const all = binding.operands.map((one) => {
          const { code, isList } = this.operand(one, attribute);
          return isList ? `...${code}` : code;
        });
        return loop(`[${all.join(", ")}]`);
      }
      case "item":
        return item === undefined ? undefined : memberOf(item, binding.attribute);
      case "result": {
        const brought = this.brought[binding.request];
        if (brought === undefined) return undefined;
        if (brought.shape === "one" || brought.shape === "entity") {
          needs.add(brought);
          const code = memberOf(this.entityIn(brought, brought.variable), binding.attribute);
          if (!gaps(binding.request).includes(binding.attribute)) return code;
          missing.add(`${code} === undefined`);
          return `(${code} as ${this.useTypes(attributeType(attribute))})`;
        }
        const open = gaps(binding.request);
        if (open.length > 0) {
          const entities = callCode(
            this.use("withValues"),
            this.#entities(brought),
            arrayCode(open.map(literal)),
          );
          return memberOf(loop(entities, { from: brought }), binding.attribute);
        }
        const row = loop(this.rows(brought), { from: brought });
        return memberOf(this.entityIn(brought, row), binding.attribute);
      }
      case "span": {
        const { predicate } = binding;
        const [from, to] = predicate.operands.map((one) => this.operand(one, attribute).code);
        if (predicate.operator === "begins-with") return from;
        const unit = this.#unit(attribute.name);
        return loop(
          `${this.use("spanBetween")}(${from}, ${to}, "${unit}", "${attribute.format ?? "iso-time"}")`,
        );
      }
    }
  }

  /** The attributes that values are taken from and that not every row of an earlier read has. */
  #gapsIn(request: number, bound: readonly Binding[]): readonly string[] {
    const attributes = this.brought[request]?.record.entity.attributes;
    const names = bound.flatMap((one) =>
      one.kind === "result" && one.request === request ? [one.attribute] : [],
    );
    return [...new Set(names)].filter((name) => attributes?.get(name)?.isOptional === true);
  }

  /** The entities in the rows that a read brought, as one list. */
  #entities(brought: Brought): string {
    const { shape, record } = brought;
    const rows = this.rows(brought);
    if (shape === "entity" || shape === "entities") return rows;
    return `${rows}.map(${this.useItem(this.names.of(record, "of"))})`;
  }

  #parameter(name: string, keys: Resolving["keys"], loop: Resolving["loop"]): string {
    const group = this.#groupOf({ kind: "parameter", name });
    if (group !== undefined) return memberOf(loop(keys(group), { group }), name);
    const code = memberOf("input", name);
    return this.inputs.parameters.get(name)?.isList === true ? loop(code) : code;
  }

  /** All that the caller hands in, as one object. */
  get handedIn(): string {
    return inputMembers(this.inputs).length === 0 ? "{}" : "{ ...input }";
  }

  /** The list of some keys of a batch. */
  #listOf({ name }: KeyGroup): string {
    return memberOf("input", name);
  }

  /** The keys of a batch. Where only some of their members are bound, those that differ in no other are the same key. */
  #distinctKeys(group: KeyGroup, bound: readonly Binding[], asked: readonly Operand[]): string {
    const named = bound.flatMap((binding): readonly Operand[] =>
      binding.kind === "each" ? binding.operands : binding.kind === "parameter" ? [binding] : [],
    );
    const used = group.of.filter((name) =>
      [...named, ...asked].some((one) => one.kind === "parameter" && one.name === name),
    );
    const all = this.#listOf(group);
    return used.length === 0 || used.length === group.of.length
      ? all
      : callCode(this.use("distinct"), all, arrayCode(used.map(literal)));
  }

  /** The unit of time that a key cuts an attribute at. */
  #unit(name: string): string {
    for (const request of this.plan.requests) {
      if (request.kind !== "read") continue;
      for (const { text } of [...request.partition, ...request.sort]) {
        for (const segment of text.segments) {
          if (segment.kind !== "attribute" || segment.attribute !== name) continue;
          const cut = segment.transforms.find((one) => one.kind === "truncate");
          if (cut?.kind === "truncate") return cut.unit;
        }
      }
    }
    return "day";
  }
}

/** A list of what is made in some loops, the outermost first. */
export function looped(
  loops: readonly { readonly over: string; readonly as: string }[],
  inner: string,
): string {
  const [first, ...rest] = loops;
  if (first === undefined) return arrayCode([inner]);
  const { over, as } = first;
  if (rest.length === 0) return callCode(`${over}.map`, arrowCode(as, inner));
  return callCode(`${over}.flatMap`, arrowCode(as, looped(rest, inner)));
}

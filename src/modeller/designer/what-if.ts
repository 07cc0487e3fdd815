import type { Edit } from "../../document/edit.ts";
import { nearest } from "../../document/nearest.ts";
import type { Path } from "../../document/path.ts";
import type { Model } from "../../model/model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";

/** Numbers of a document that are tried out: the edits, and in words what is otherwise. */
export interface Trial {
  readonly edits: readonly Edit[];
  readonly words: string;
}

/** Several changes with commas or semicolons between them; a sentence if one of them says nothing. */
export function trialOf(model: Model, text: string): Trial | string {
  const edits = new Map<string, Edit>();
  const words: string[] = [];
  let tried = model;
  for (const one of text.split(/[,;]/).map((part) => part.trim())) {
    if (one === "") continue;
    const change = changeOf(tried, one);
    if (typeof change === "string") return change;
    // Two numbers of one pattern's rate are one value in the document.
    edits.set(JSON.stringify(change.edit.path), change.edit);
    words.push(change.words);
    if (change.pattern !== undefined) tried = withRate(tried, change.pattern);
  }
  if (words.length === 0) return "Nothing is said that could be tried.";
  return { edits: [...edits.values()], words: words.join(", and ") };
}

interface Change {
  readonly edit: Extract<Edit, { kind: "set" }>;
  readonly words: string;
  readonly pattern?: Pattern;
}

const forms = [
  "PATTERN.rps.average=NUMBER",
  "PATTERN.rps.peak=NUMBER",
  "PATTERN.skew=SHARE",
  "PATTERN.matches=NUMBER",
  "ENTITY.count=NUMBER",
  "ENTITY.ATTRIBUTE.bytes=NUMBER",
  "ENTITY->ENTITY.average=NUMBER",
];

function changeOf(model: Model, text: string): Change | string {
  const [, name = "", number = ""] =
    /^(.+)=\s*([0-9][0-9_]*(?:\.[0-9]+)?(?:e[0-9]+)?)$/i.exec(text) ?? [];
  const value = Number(number.replaceAll("_", ""));
  const path = name.trim();
  const nothing = `'${text}' is not a change that can be tried; write ${forms.join(", ")}.`;
  if (path === "") return nothing;
  const rate = /^(.+)\.rps(?:\.(average|avg|peak))?$/.exec(path);
  if (rate !== null) return ofPattern(model, rate[1], (one) => rateChange(one, rate[2], value));
  const skew = /^(.+)\.skew(?:\.(hottest|zipf))?$/.exec(path);
  if (skew !== null) return ofPattern(model, skew[1], (one) => skewChange(one, skew[2], value));
  const matches = /^(.+)\.matches$/.exec(path);
  if (matches !== null) {
    return ofPattern(model, matches[1], ({ id }) => ({
      edit: set(["patterns", id, "matches"], value),
      words: `pattern ${id} finds ${value}`,
    }));
  }
  const relation = /^(.+?)\s*->\s*(.+)\.(average|max)$/.exec(path);
  if (relation !== null) return relationChange(model, relation, value);
  const count = /^(.+)\.count$/.exec(path);
  if (count !== null) {
    return ofEntity(model, count[1], ({ name: entity }) => ({
      edit: set(["entities", entity, "count"], value),
      words: `there are ${value} ${entity}`,
    }));
  }
  const bytes = /^(.+?)\.(.+)\.bytes$/.exec(path);
  if (bytes !== null) return bytesChange(model, bytes[1], bytes[2], value);
  return nothing;
}

function set(path: Path, value: unknown): Change["edit"] {
  return { kind: "set", path, value };
}

function ofPattern(
  { patterns }: Model,
  name = "",
  change: (pattern: Pattern) => Change | string,
): Change | string {
  const pattern = patterns.get(name) ?? patterns.get(name.replace(/^P/, ""));
  return pattern === undefined ? unknown("pattern", name, patterns) : change(pattern);
}

function ofEntity(
  { entities }: Model,
  name = "",
  change: (entity: Entity) => Change | string,
): Change | string {
  const entity = entities.get(name);
  return entity === undefined ? unknown("entity", name, entities) : change(entity);
}

function unknown(what: string, name: string, known: ReadonlyMap<string, unknown>): string {
  const near = nearest(name, [...known.keys()]);
  return `There is no ${what} '${name}'.${near === undefined ? "" : ` Did you mean '${near}'?`}`;
}

function rateChange(pattern: Pattern, member: string | undefined, value: number): Change {
  const which = member === "peak" ? "peak" : "average";
  const { average, peak } = pattern.rps;
  const now = { value, assumed: false };
  // A peak is never below the average, so the other rate follows where it would be.
  const isCrossed =
    which === "peak" ? value < (average?.value ?? value) : value > (peak?.value ?? value);
  const rps = isCrossed ? { average: now, peak: now } : { ...pattern.rps, [which]: now };
  const plain = (one: typeof rps.peak) => one && (one.assumed ? { assumed: one.value } : one.value);
  const changed = {
    ...(rps.average !== undefined && { average: plain(rps.average) }),
    ...(rps.peak !== undefined && { peak: plain(rps.peak) }),
  };
  return {
    edit: set(["patterns", pattern.id, "rps"], changed),
    words: `pattern ${pattern.id} ${which === "peak" ? "peaks at" : "comes"} ${value} times a second`,
    pattern: { ...pattern, rps },
  };
}

function skewChange(pattern: Pattern, kind: string | undefined, value: number): Change | string {
  const key = pattern.skew?.key ?? pattern.actions[0]?.where[0]?.attribute;
  const { id } = pattern;
  if (key === undefined) return `Pattern ${id} has no key that could be asked for unevenly.`;
  const law = kind ?? pattern.skew?.kind ?? "hottest";
  const words =
    law === "zipf"
      ? `pattern ${id} asks for ${key} by Zipf's law with ${value}`
      : `one ${key} is asked for in ${value} of all runs of pattern ${id}`;
  return { edit: set(["patterns", id, "skew"], { key, [law]: value }), words };
}

function bytesChange(model: Model, name = "", attribute = "", value = 0): Change | string {
  return ofEntity(model, name, (entity) => {
    if (!entity.attributes.has(attribute)) {
      return unknown(`attribute of ${entity.name}`, attribute, entity.attributes);
    }
    return {
      edit: set(["entities", entity.name, "attributes", attribute, "bytes"], value),
      words: `${entity.name}.${attribute} has ${value} bytes`,
    };
  });
}

function relationChange(model: Model, [, from, to, member = ""]: RegExpExecArray, value: number) {
  const found = model.relations.find((one) => one.from === from && one.to === to);
  if (found === undefined) return `There is no relation from '${from}' to '${to}'.`;
  const words = `there are ${value} ${to} for each ${from}${member === "max" ? " at most" : ""}`;
  return { edit: set([...found.path, member], value), words };
}

function withRate(model: Model, pattern: Pattern): Model {
  return { ...model, patterns: new Map([...model.patterns, [pattern.id, pattern]]) };
}

import { printYaml } from "../../document/print.ts";
import type { DesignDocument } from "../../model/document-design.ts";
import type {
  AttributeDocument,
  PatternDocument,
  TogetherDocument,
} from "../../model/document-requirements.ts";
import type { Model } from "../../model/model.ts";
import type { ModelDocument } from "../../model/model-document.ts";
import { readModel } from "../../model/read-model.ts";
import type { Entity, Pattern } from "../../model/requirements.ts";
import { Facts } from "../facts.ts";
import { linkOf } from "../plans/links.ts";
import { plansOf } from "../plans/planner.ts";
import type { DesignOutcome } from "./designer.ts";
import { capital } from "./keys.ts";
import { record } from "./layouts.ts";
import { servedPatterns, unique } from "./needs.ts";

/** Attributes that could be repeated where they are read, for the user to decide. */
export interface Proposal {
  /** The entity that would repeat them, and the one that has them. */
  readonly entity: string;
  readonly source: string;
  /** The copies, by what they repeat. */
  readonly copies: ReadonlyMap<string, string>;
  /** Dollars in a month, with what it takes to keep the copies up; less than nothing if it costs more. */
  readonly saves: number;
  /** Requests of patterns one after the other, now and then. */
  readonly patterns: readonly {
    readonly id: string;
    readonly before: number;
    readonly after: number;
  }[];
  /** How many items a change of the source then changes on average, and who makes such changes. */
  readonly each: number;
  readonly writers: readonly string[];
  /** Who makes what repeats them, and has to know them then. */
  readonly makers: readonly string[];
  /** What the document would say: attributes, and patterns in place of those that it has. */
  readonly lines: string;
}

/** More is no short cut but another item. */
const attributesMax = 5;

interface Candidate {
  readonly host: Entity;
  readonly source: Entity;
  /** The attribute of the host that holds the id of the source. */
  readonly link: string;
  readonly names: readonly string[];
  readonly patterns: readonly Pattern[];
}

/** What would be cheaper or faster if one entity repeated attributes of another that it refers to. Each is designed as a whole. */
export function proposalsOf(
  model: Model,
  now: { readonly design: DesignDocument; readonly total: number },
  design: (model: Model) => DesignOutcome,
): readonly Proposal[] {
  const before = requestsOf(model, now.design);
  return candidatesIn(model).flatMap((candidate): readonly Proposal[] => {
    const trial = trialOf(model, candidate);
    const read = readModel(trial.document);
    if (read.issues.length > 0) return [];
    const { designed } = design({ ...read.model, place: model.place });
    if (designed === undefined) return [];
    const after = requestsOf({ ...read.model, place: model.place }, designed.design);
    const patterns = candidate.patterns.map(({ id }) => ({
      id,
      before: before.get(id) ?? 0,
      after: after.get(id) ?? 0,
    }));
    const saves = now.total - designed.total;
    const isFaster = patterns.some((one) => one.after < one.before);
    if (saves < worth && !(isFaster && -saves <= now.total * tripShare)) return [];
    const { host, source, link } = candidate;
    const each = Facts.of(model).cardinality.itemsPer(host, [link])?.value ?? 1;
    const makers = servedPatterns(model).filter(({ actions }) =>
      actions.some(({ kind, entity }) => kind === "create" && entity === host.name),
    );
    const { copies, writers, lines } = trial;
    return [
      {
        entity: host.name,
        source: source.name,
        copies,
        saves,
        patterns,
        each,
        writers,
        makers: makers.map(({ id }) => id),
        lines,
      },
    ];
  });
}

/** Less than a cent a month is nothing. */
const worth = 0.01;

/** A request less is worth a word if it costs no more than this share of the bill. */
const tripShare = 0.1;

function requestsOf(model: Model, design: DesignDocument): ReadonlyMap<string, number> {
  const { design: _old, ...rest } = model.document;
  const { model: read } = readModel({ ...rest, design });
  const plans = plansOf(Facts.of({ ...read, place: model.place }));
  return new Map([...plans].map(([id, { requests }]) => [id, requests.length]));
}

/** Pairs of entities that patterns read together although the one only refers to the other. */
function candidatesIn(model: Model): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const facts = Facts.of(model);
  for (const pattern of servedPatterns(model)) {
    const [action, more] = pattern.actions;
    const host = model.entities.get(action?.entity ?? "");
    // Who needs the newest state cannot do with a copy.
    if (pattern.kind !== "read" || host === undefined || more !== undefined) continue;
    if (pattern.consistency === "strong") continue;
    for (const { entity, returns, where } of pattern.together) {
      const source = model.entities.get(entity);
      const [id = "", other] = source?.id ?? [];
      if (source === undefined || source === host || other !== undefined) continue;
      const bound = linkOf(facts, host, source, [], new Map(), 0).get(id);
      const names = returns.filter((name) => name !== id);
      if (bound?.kind !== "result" || where.length > 0 || names.length === 0) continue;
      const key = JSON.stringify([host.name, source.name, bound.attribute]);
      const known = found.get(key);
      const all = unique([...(known?.names ?? []), ...names]);
      if (all.length > attributesMax) continue;
      const patterns = [...(known?.patterns ?? []), pattern];
      found.set(key, { host, source, link: bound.attribute, names: all, patterns });
    }
  }
  return [...found.values()];
}

interface TrialDocument {
  readonly document: ModelDocument;
  readonly copies: ReadonlyMap<string, string>;
  readonly writers: readonly string[];
  readonly lines: string;
}

/** The document with the copies: who read both reads one, and who changes the source is followed by a change of the copies. */
function trialOf(model: Model, candidate: Candidate): TrialDocument {
  const { host, source, link, names, patterns } = candidate;
  const { design: _design, ...document } = model.document;
  const copies = new Map(names.map((name) => [name, nameOf(candidate, name)]));
  const added = [...copies].map(([name, copy]): [string, AttributeDocument] => [
    copy,
    copyDocument(model, source.name, name),
  ]);
  const all = document.patterns ?? {};
  const reading = patterns.map(({ id }): [string, PatternDocument] => [
    id,
    readingCopies(all[id] as PatternDocument, host, source.name, copies),
  ]);
  const changing = servedPatterns(model).flatMap((pattern) => {
    const touched = names.filter((name) => isChanged(pattern, source.name, name));
    return touched.length === 0 ? [] : [{ pattern, touched }];
  });
  const keeping = changing.map(({ pattern, touched }): [string, PatternDocument] => [
    freeName(`${pattern.id}-in-${host.name}`, all),
    {
      name: `${pattern.name}, in every ${host.name}`,
      update: host.name,
      where: record([[link, "equals" as const]]),
      changes: touched.map((name) => copies.get(name) ?? name),
      ...(all[pattern.id]?.rps !== undefined && { rps: all[pattern.id]?.rps }),
    } as PatternDocument,
  ]);
  const entity = document.entities[host.name];
  const entities = {
    ...document.entities,
    [host.name]: { ...entity, attributes: { ...entity?.attributes, ...record(added) } },
  } as ModelDocument["entities"];
  const lines = printYaml({
    entities: { [host.name]: { attributes: record(added) } },
    patterns: record([...reading, ...keeping]),
  });
  return {
    document: {
      ...document,
      entities,
      patterns: { ...all, ...record([...reading, ...keeping]) },
    },
    copies,
    writers: changing.map(({ pattern }) => pattern.id),
    lines,
  };
}

/** `authorId` and `name` make `authorName`. */
function nameOf({ host, link }: Candidate, name: string): string {
  const base = link.replace(/I[dD]$|_id$/, "");
  const wanted = name.startsWith(base) ? name : `${base}${capital(name)}`;
  return host.attributes.has(wanted) ? `${wanted}Copy` : wanted;
}

function freeName(wanted: string, taken: object): string {
  let name = wanted;
  for (let n = 2; Object.hasOwn(taken, name); n += 1) name = `${wanted}-${n}`;
  return name;
}

/** The same attribute, as a copy. */
function copyDocument({ document }: Model, entity: string, name: string): AttributeDocument {
  const source = document.entities[entity]?.attributes[name];
  const { type, format, bytes, digits, elements, values, present, personal } =
    source as AttributeDocument;
  return {
    type,
    ...(format && { format }),
    ...(bytes !== undefined && { bytes: structuredClone(bytes) }),
    ...(digits !== undefined && { digits }),
    ...(elements && { elements: structuredClone(elements) }),
    ...(values && { values: structuredClone(values) }),
    ...(present !== undefined && { present: structuredClone(present) }),
    ...(personal !== undefined && { personal }),
    copyOf: `${entity}.${name}`,
    staleness: "accepted",
  };
}

function readingCopies(
  document: PatternDocument,
  host: Entity,
  source: string,
  copies: ReadonlyMap<string, string>,
): PatternDocument {
  const { together = [], returns, ...rest } = document;
  const named = (one: string | TogetherDocument): string =>
    typeof one === "string" ? one : one.entity;
  const left = together.filter((one) => named(one) !== source);
  const own = together.find((one) => named(one) === source);
  const wanted = typeof own === "object" && Array.isArray(own.returns) ? own.returns : undefined;
  const added = (wanted ?? [...copies.keys()]).flatMap((name) => copies.get(name) ?? []);
  const listed = returns === "keys" ? host.id : returns;
  return structuredClone({
    ...rest,
    ...(listed !== undefined && {
      returns: listed === "all" ? "all" : [...listed, ...added],
    }),
    ...(left.length > 0 && { together: left }),
  }) as PatternDocument;
}

function isChanged({ actions }: Pattern, entity: string, name: string): boolean {
  return actions.some(
    (one) =>
      one.entity === entity &&
      one.kind === "update" &&
      ([...one.changes, ...one.adds].some(({ attribute }) => attribute === name) ||
        one.removes.includes(name)),
  );
}

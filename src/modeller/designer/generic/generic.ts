import { globalIndexesMax } from "../../../api/limits.ts";
import { assert } from "../../../base/assert.ts";
import type {
  DecisionDocument,
  DesignDocument,
  TableDocument,
  UniqueDocument,
} from "../../../model/document-design.ts";
import type { Model } from "../../../model/model.ts";
import { isWorthIt, type Priced } from "../../lint/bills.ts";
import { type Plan, touchedBy } from "../../plans/plan.ts";
import { capital, namedIn } from "../keys.ts";
import { record } from "../layouts.ts";
import { entitiesOf } from "../needs.ts";
import { type Hot, tooHot } from "./hot.ts";
import { hasTexts, ownIndex, type Part, type Sharing, sharedTable } from "./shared-table.ts";
import { neighboursOf, type Slot, slotsOf } from "./slots.ts";
import { told } from "./told.ts";
import { type Unit, unitId, unitsOf } from "./units.ts";

/** The natural design that was chosen, with its bill, and what may not be touched. */
export interface Natural {
  readonly model: Model;
  readonly design: DesignDocument;
  readonly bill: Priced;
  readonly stays: ReadonlySet<string>;
}

/** A design in which all that can be shares one table and its indexes. */
export interface Generic {
  readonly design: DesignDocument;
  readonly bill: Priced;
  /** What is decided about the style, and about what stays by itself. */
  readonly decisions: readonly DecisionDocument[];
  /** Where parts of the natural design are now, by their paths. */
  readonly moved: ReadonlyMap<string, string>;
}

/** A shared design before it is told what was decided. */
export interface Shared extends Pick<Generic, "design" | "bill"> {
  readonly slots: readonly Slot[];
  /** Indexes that are as they were. */
  readonly own: readonly Unit[];
}

export type Price = (design: DesignDocument) => Priced | undefined;

/** What was found out about parts of a natural design, each with the reason in words. */
interface Limits {
  /** Tables that cannot share theirs with others. */
  readonly apart: Map<string, string>;
  /** Indexes that cannot be shared. */
  readonly alone: Map<string, string>;
  /** Tables whose indexes have to hold all that they held before. */
  readonly full: Set<string>;
}

/** Puts a natural design into one table, as far as nobody then reads worse and nothing gets too hot. */
export function genericOf(natural: Natural, price: Price): Generic {
  const limits: Limits = { apart: reasonsApart(natural), alone: new Map(), full: new Set() };
  for (;;) {
    const sharing = sharingOf(natural, limits);
    if (sharing === undefined) continue;
    const design = documentOf(natural, sharing);
    const bill = price(design);
    assert(bill !== undefined, "a design in generic style can be read");
    const worse = worseTables(natural.bill.plans, bill.plans, sharing.parts);
    for (const [table, plan] of worse) narrow(limits, sharing, table, plan);
    if (worse.size > 0) continue;
    const best = improved(natural, sharing, { design, bill }, price);
    const hot = tooHot(best.bill, sharing.parts, best);
    for (const one of hot) cool(limits, one);
    if (hot.length > 0) continue;
    const saved = byItself(natural, sharing, best, price);
    return { ...best, ...told(natural, best, limits, saved) };
  }
}

/** Shares less of a table that a pattern would read worse: first its indexes hold more, then they stay as they are. */
function narrow({ apart, alone, full }: Limits, { slots }: Sharing, table: string, plan: Plan) {
  const { pattern } = plan;
  const why = `pattern ${pattern.id} would take more than with natural keys`;
  const names = entitiesOf(pattern);
  const shared = slots
    .flat()
    .filter((one) => one.table === table && one.members.some((m) => names.has(m.entity.name)));
  // What an update changes must be known to make a text of it anew; a natural key follows by itself.
  const remade = shared.filter((one) => isMadeOf(one, plan));
  if (!full.has(table)) full.add(table);
  else if (shared.length === 0) apart.set(table, why);
  else for (const one of remade.length > 0 ? remade : shared) alone.set(unitId(one), why);
}

/** What is too hot where it is shared stays as it was: an index first, then its table. */
function cool({ apart, alone }: Limits, { table, unit }: Hot): void {
  const why = "at peak its hottest key would be more than one partition gives";
  if (unit === undefined || alone.has(unitId(unit))) apart.set(table, why);
  else alone.set(unitId(unit), why);
}

/** Whether something that a plan changes is in the texts or conditions of an index. */
function isMadeOf({ members }: Unit, { requests }: Plan): boolean {
  const touched = requests.flatMap((one) =>
    one.kind === "read" ? [] : one.actions.flatMap(({ changes }) => [...touchedBy(changes)]),
  );
  return members.some(({ entity, partition = "", sort = "", only = {} }) => {
    const names = [...namedIn(entity, partition), ...namedIn(entity, sort), ...Object.keys(only)];
    return names.some((name) => touched.includes(name));
  });
}

/** Why tables cannot share theirs with others, in words. */
function reasonsApart({ design, bill, stays, model }: Natural): Map<string, string> {
  const apart = new Map<string, string>();
  const ttl = ttlOf(design);
  for (const [name, table] of Object.entries(design.tables)) {
    if (table.entities === undefined) continue;
    const scanned = scannedBy(bill, name);
    const indexes = Object.values(table.indexes ?? {});
    const held = Object.keys(table.entities).flatMap((one) => model.entities.get(one) ?? []);
    const records = bill.facts.records.filter((one) => one.table.name === name);
    if (stays.has(name)) apart.set(name, "it was to be kept");
    else if (scanned.length > 0) apart.set(name, `pattern ${scanned.join(", ")} reads all of it`);
    else if (table.dax !== undefined) apart.set(name, "a cache is in front of it");
    else if (table.periods !== undefined) apart.set(name, "there is one for each period");
    else if (indexes.some(({ local }) => local)) apart.set(name, "it has a local index");
    else if (table.aggregates !== undefined) apart.set(name, "numbers are worked out from it");
    else if (table.versioning !== undefined) apart.set(name, "its newest versions lie apart");
    else if (Object.values(table.entities).some(({ split }) => split !== undefined)) {
      apart.set(name, "its items lie in parts");
    } else if (!records.every((one) => one.role !== "item" || hasTexts(one))) {
      apart.set(name, "its key cannot be written as a text that sorts alike");
    } else if (table.unique?.some((one) => isBinary(model, one))) {
      apart.set(name, "bytes that are unique cannot be a part of a text");
    } else if (table.ttl !== undefined && table.ttl !== ttl) {
      apart.set(name, `it expires by ${String(table.ttl)}, and a table has one such attribute`);
    } else if (
      table.ttl === undefined &&
      held.some(({ attributes }) => attributes.has(ttl ?? ""))
    ) {
      apart.set(name, `its ${ttl} must not make it expire`);
    }
  }
  return apart;
}

function isBinary({ entities }: Model, { entity, attribute }: UniqueDocument): boolean {
  return entities.get(entity)?.attributes.get(attribute)?.type === "B";
}

/** The attribute by which most tables expire. */
function ttlOf({ tables }: DesignDocument): string | undefined {
  const names = Object.values(tables).flatMap(({ ttl }) => (typeof ttl === "string" ? [ttl] : []));
  const times = (name: string): number => names.filter((one) => one === name).length;
  return names.toSorted((a, b) => times(b) - times(a))[0];
}

function scannedBy({ plans }: Priced, table: string): readonly string[] {
  return [...plans].flatMap(([id, { requests }]) =>
    requests.some(
      (one) => one.operation === "Scan" && one.table.name === table && one.index === undefined,
    )
      ? [id]
      : [],
  );
}

/** What shares a table, and how; nothing if it was found that something cannot, which is noted. */
function sharingOf(
  { design, bill, model }: Natural,
  { apart, alone, full }: Limits,
): Sharing | undefined {
  const parts = Object.entries(design.tables).flatMap(([name, document]): Part[] => {
    if (document.entities === undefined || apart.has(name)) return [];
    const records = bill.facts.records.filter(
      (one) => one.table.name === name && one.role === "item",
    );
    return [{ name, document, records }];
  });
  const units = parts.flatMap(({ name, document }) =>
    unitsOf(bill, name, document, full.has(name)).filter(({ members }) => members.length > 0),
  );
  for (const one of units) {
    if (!isText(one))
      alone.set(unitId(one), "its key cannot be written as one text that sorts alike");
  }
  const slots = slotsOf(units.filter((one) => !alone.has(unitId(one))));
  const own = units.filter((one) => alone.has(unitId(one)));
  const taken = new Set([...model.entities.values()].flatMap((one) => [...one.attributes.keys()]));
  const entities = parts.flatMap(({ records }) => records.map(({ entity }) => entity));
  const before = apart.size;
  for (const unit of own) {
    if (ownIndex(unit, entities, taken) === undefined) {
      apart.set(unit.table, `${unit.name} cannot be had there: ${alone.get(unitId(unit))}`);
    }
  }
  const [largest] = parts.toSorted((a, b) => indexCount(b) - indexCount(a));
  if (slots.length + own.length > globalIndexesMax && largest !== undefined) {
    apart.set(largest.name, `a table has at most ${globalIndexesMax} indexes`);
  }
  return apart.size > before ? undefined : { parts, slots, own, taken };
}

function isText({ members }: Unit): boolean {
  return members.every(({ partition, sort }) => partition !== undefined && sort !== undefined);
}

function indexCount({ document: { indexes = {} } }: Part): number {
  return Object.keys(indexes).length;
}

/** The shared table where its first part was, and all that stays by itself. */
function documentOf({ design, model }: Natural, sharing: Sharing): DesignDocument {
  const names = new Set(sharing.parts.map(({ name }) => name));
  const guards = new Set(
    sharing.parts.flatMap(({ document }) => (document.unique ?? []).map(({ table }) => table)),
  );
  const others = Object.entries(design.tables).filter(
    ([name]) => !names.has(name) && !guards.has(name),
  );
  const name = sharedName(
    model,
    others.map(([one]) => one),
  );
  const shared: (readonly [string, TableDocument])[] =
    sharing.parts.length === 0 ? [] : [[name, sharedTable(sharing)]];
  return { ...design, style: "generic", tables: record([...shared, ...others]) };
}

function sharedName({ name }: Model, taken: readonly string[]): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const plain = words.map(capital).join("");
  const base = plain.length < 3 ? `${plain}Table` : plain;
  let free = base;
  for (let n = 2; taken.includes(free); n += 1) free = `${base}${n}`;
  return free;
}

/** Tables of which somebody would read more often, all, or in no order; each with the first who would. */
function worseTables(
  before: ReadonlyMap<string, Plan>,
  after: ReadonlyMap<string, Plan>,
  parts: readonly Part[],
): ReadonlyMap<string, Plan> {
  const found = new Map<string, Plan>();
  for (const [id, plan] of before) {
    const then = after.get(id);
    if (then !== undefined && !isWorse(then, plan)) continue;
    for (const { name, records } of parts) {
      const entities = records.map(({ entity }) => entity.name);
      const asked = [...plan.pattern.actions, ...plan.pattern.together];
      if (asked.some(({ entity }) => entities.includes(entity)) && !found.has(name)) {
        found.set(name, plan);
      }
    }
  }
  return found;
}

function isWorse(after: Plan, before: Plan): boolean {
  const effort = ({ requests, problem }: Plan): readonly number[] => [
    problem === undefined ? 0 : 1,
    requests.length,
    requests.filter(({ operation }) => operation === "Scan").length,
    requests.filter((one) => one.kind === "read" && one.sortsInClient).length,
  ];
  const was = effort(before);
  return effort(after).some((one, i) => one > (was[i] ?? 0));
}

/** What would be saved in a month if an index were not shared, where that is worth a word. */
function byItself(
  natural: Natural,
  sharing: Sharing,
  { slots, bill }: Shared,
  price: Price,
): ReadonlyMap<Unit, number> {
  const saved = new Map<Unit, number>();
  for (const slot of slots) {
    for (const unit of slot.length < 2 ? [] : slot) {
      const left = slots.map((one) => one.filter((other) => other !== unit));
      const other = price(documentOf(natural, { ...sharing, slots: [...left, [unit]] }));
      const less = other === undefined ? 0 : bill.total - other.total;
      if (isWorthIt(less, bill)) saved.set(unit, less);
    }
  }
  return saved;
}

/** So many choices of who shares with whom are priced. */
const triesMax = 40;

/** Lets indexes change places as long as that makes it cheaper. */
function improved(
  natural: Natural,
  sharing: Sharing,
  first: Pick<Generic, "design" | "bill">,
  price: Price,
): Shared {
  let best: Shared = { ...first, slots: sharing.slots, own: sharing.own };
  let left = triesMax;
  for (let better = true; better && left > 0; ) {
    better = false;
    for (const slots of neighboursOf(best.slots)) {
      if (left <= 0) break;
      left -= 1;
      const design = documentOf(natural, { ...sharing, slots });
      const bill = price(design);
      if (bill === undefined || bill.total > best.bill.total - 0.005) continue;
      if (worseTables(natural.bill.plans, bill.plans, sharing.parts).size > 0) continue;
      best = { ...best, design, bill, slots };
      better = true;
      break;
    }
  }
  return best;
}

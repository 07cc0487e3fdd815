import {
  afterCache,
  type BillLine,
  type CostInput,
  type Lines,
  type Note,
  type TableFacts,
} from "./bill.ts";
import type { Load } from "./load.ts";
import { backupLines, cacheLines, storageLines, streamLines } from "./other-lines.ts";
import type { UnitKind } from "./throughput.ts";
import { type Market, throughputLines } from "./throughput-lines.ts";

/** Every line of a month's bill. */
export function billOf(input: CostInput): Lines {
  const lines: BillLine[] = [];
  const notes: Note[] = [];
  for (const facts of input.tables) {
    const found = tableLines(facts, input);
    lines.push(...found.lines);
    notes.push(...found.notes);
  }
  return { lines, notes };
}

/**
 * Writes to a global table are replicated writes everywhere, also where they are made; writes to
 * its global indexes are plain writes in each Region.
 */
export function kindsIn(facts: TableFacts): (load: Load) => readonly UnitKind[] {
  const written = (load: Load): UnitKind =>
    facts.replicas.length > 0 && load.index === undefined ? "replicated" : "write";
  return (load) => ["read", written(load)];
}

function tableLines(stated: TableFacts, { prices, pricesOf, month }: CostInput): Lines {
  const facts = { ...stated, loads: afterCache(stated.loads, stated.dax) };
  const home: Market = { prices, replica: undefined, month };
  const parts: Lines[] = [
    throughputLines(facts.loads, kindsIn(facts), home),
    { lines: storageLines(facts.loads, home), notes: [] },
    { lines: backupLines(facts, home), notes: [] },
    streamLines(facts, home),
    cacheLines(facts, home),
  ];
  for (const region of facts.replicas) {
    const there = pricesOf(region);
    if (there === undefined) {
      const text = `no prices of ${region} are known: what the replica there costs is not in the bill`;
      parts.push({ lines: [], notes: [{ table: facts.name, text }] });
      continue;
    }
    const market: Market = { prices: there, replica: region, month };
    // All reads are taken to be made at home.
    const writes = (load: Load) => kindsIn(facts)(load).filter((kind) => kind !== "read");
    parts.push(throughputLines(facts.loads, writes, market), {
      lines: storageLines(facts.loads, market),
      notes: [],
    });
  }
  return {
    lines: parts.flatMap(({ lines }) => lines),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

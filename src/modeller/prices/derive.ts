import type { Basis, ClassPrices, Price, RegionPrices, ReservedPrice } from "./price.ts";
import type { SourceName } from "./sources.ts";

type Reserved = readonly [
  readUpfront: number,
  readHour: number,
  writeUpfront: number,
  writeHour: number,
];

/** What is known of a Region. Capacity prices always are; the rest follows where it is not. */
export interface Known {
  readonly region: string;
  readonly place: string;
  /** For a unit and hour; AWS's own tool has them for all Regions. */
  readonly capacity: readonly [read: number, write: number];
  /** For a hundred units, for a year and for three. */
  readonly reserved: Readonly<Partial<Record<1 | 3, Reserved>>>;
  /** For a million. */
  readonly requests?: readonly [read: number, write: number];
  readonly storage?: number;
  readonly infrequentRequests?: readonly [read: number, write: number];
  readonly infrequentStorage?: number;
  readonly pointInTimeRecovery?: number;
}

export const price =
  (basis: Basis) =>
  (usd: number, source: SourceName): Price => ({ usd, basis, source });

export const sure = price("confirmed");
const derived = price("derived");
const unsure = price("unsure");

export function reserved([readUpfront, readHour, writeUpfront, writeHour]: Reserved): {
  readonly read: ReservedPrice;
  readonly write: ReservedPrice;
} {
  const one = (upfront: number, hour: number): ReservedPrice => ({
    upfront: sure(upfront, "tool"),
    hour: sure(hour, "tool"),
  });
  return { read: one(readUpfront, readHour), write: one(writeUpfront, writeHour) };
}

const significantDigits = 4;

/** All prices of a Region: what is known of it, and the rest in proportion to `base`. */
export function pricesFrom(known: Known, base: RegionPrices): RegionPrices {
  const [readCapacity, writeCapacity] = known.capacity;
  // Nothing tells a Region with the same capacity prices apart.
  const same =
    readCapacity === base.standard.readCapacity.usd &&
    writeCapacity === base.standard.writeCapacity.usd;
  const byRatio = (value: number, source: SourceName): Price =>
    derived(Number(value.toPrecision(significantDigits)), same ? "virginia" : source);
  const stated = (value: number | undefined, otherwise: () => Price): Price =>
    value === undefined ? otherwise() : sure(value, "list");
  const bases = base.standard;
  const requests = (side: 0 | 1, capacity: number): Price => {
    const [unit, request] =
      side === 0
        ? [bases.readCapacity.usd, bases.readRequests.usd]
        : [bases.writeCapacity.usd, bases.writeRequests.usd];
    return stated(known.requests?.[side], () =>
      byRatio((capacity * request) / unit, "provisioned"),
    );
  };
  const storage = stated(known.storage, () =>
    byRatio((writeCapacity * bases.storage.usd) / bases.writeCapacity.usd, "provisioned"),
  );
  const standard: ClassPrices = {
    readRequests: requests(0, readCapacity),
    writeRequests: requests(1, writeCapacity),
    replicatedWriteRequests: derived(requests(1, writeCapacity).usd, "cut"),
    readCapacity: sure(readCapacity, "tool"),
    writeCapacity: sure(writeCapacity, "tool"),
    replicatedWriteCapacity: sure(writeCapacity, "tool"),
    storage,
  };
  const infrequent = (name: keyof ClassPrices, value?: number): Price =>
    stated(value, () =>
      byRatio((standard[name].usd * base.infrequentAccess[name].usd) / bases[name].usd, "ratio"),
    );
  const infrequentWrite = infrequent("writeRequests", known.infrequentRequests?.[1]);
  const infrequentCapacity = infrequent("writeCapacity");
  const bytes = (one: Price): Price =>
    byRatio((one.usd * storage.usd) / bases.storage.usd, "ratio");
  return {
    region: known.region,
    place: known.place,
    standard,
    infrequentAccess: {
      readRequests: infrequent("readRequests", known.infrequentRequests?.[0]),
      writeRequests: infrequentWrite,
      replicatedWriteRequests: unsure(infrequentWrite.usd, "cut"),
      readCapacity: infrequent("readCapacity"),
      writeCapacity: infrequentCapacity,
      replicatedWriteCapacity: unsure(infrequentCapacity.usd, "cut"),
      storage: infrequent("storage", known.infrequentStorage),
    },
    reserved: {
      1: known.reserved[1] && reserved(known.reserved[1]),
      3: known.reserved[3] && reserved(known.reserved[3]),
    },
    pointInTimeRecovery: stated(known.pointInTimeRecovery, () => bytes(base.pointInTimeRecovery)),
    backup: bytes(base.backup),
    restore: bytes(base.restore),
    exporting: unsure(bytes(base.exporting).usd, "hearsay"),
    importing: unsure(bytes(base.importing).usd, "hearsay"),
    streamReads: bytes(base.streamReads),
    dax: new Map(),
  };
}

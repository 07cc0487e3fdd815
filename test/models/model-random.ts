import type {
  Amount,
  BytesDocument,
  DurationText,
  RateDocument,
  SizeText,
} from "../../src/model/document-parts.ts";
import { Random } from "../random.ts";

/** Traits of a whole model: they keep a rare feature from being in every model, and let it be frequent in a few. */
export interface Traits {
  /** Some counts, sizes and rates are missing. The designer refuses such a model. */
  readonly isIncomplete: boolean;
  /** Some statements cannot all hold. The reader accepts them. */
  readonly isContradictory: boolean;
  /** Descriptions, stories and reasons are written. */
  readonly isVerbose: boolean;
  /** The share of numbers that are assumed. */
  readonly assumed: number;
  /** Requests per second: the exponent of ten that average rates stay below. */
  readonly rateMax: number;
}

/** How much is drawn. Every member of the language is drawn in models of each size. */
export interface ModelSize {
  /** Weights of the numbers of entities. */
  readonly entities: Readonly<Record<number, number>>;
  /** Fewer attributes than this are drawn for an entity, besides ids, foreign keys and copies. */
  readonly attributes: number;
  readonly patterns: { readonly least: number; readonly most: number };
}

export const modelSizes = {
  usual: {
    entities: { 1: 15, 2: 28, 3: 30, 4: 18, 5: 9 },
    attributes: 9,
    patterns: { least: 4, most: 30 },
  },
  /** The work grows faster than the model, so several small models find more in the same time. */
  small: {
    entities: { 1: 40, 2: 40, 3: 20 },
    attributes: 5,
    patterns: { least: 3, most: 8 },
  },
} as const satisfies Readonly<Record<string, ModelSize>>;
export type ModelSizeName = keyof typeof modelSizes;

/** Draws the values that every part of a model is made of. */
export class ModelRandom extends Random {
  readonly traits: Traits;
  readonly extent: ModelSize;

  constructor(seed: number, size: ModelSizeName = "usual") {
    super(Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995);
    this.extent = modelSizes[size];
    this.traits = {
      isIncomplete: this.chance(0.03),
      isContradictory: this.chance(0.06),
      isVerbose: this.chance(0.25),
      assumed: this.chance(0.3) ? 0.2 : 0.01,
      rateMax: this.pick([1, 2, 2, 3, 3, 4]),
    };
  }

  /** The members that `make` draws, with a probability; otherwise none. */
  maybe<T extends object>(probability: number, make: () => T): T | Record<never, never> {
    return this.chance(probability) ? make() : {};
  }

  /** A feature that contradicts another one; never in a model that is free of contradictions. */
  contradicts(probability: number): boolean {
    return this.traits.isContradictory && this.chance(probability);
  }

  /** A number that only the user knows is missing. */
  isMissing(): boolean {
    return this.traits.isIncomplete && this.chance(0.08);
  }

  /** Every order of magnitude between two powers of ten is as likely; two significant digits. */
  magnitude(lowExponent: number, highExponent: number): number {
    return round(10 ** (lowExponent + this.unit() * (highExponent - lowExponent)));
  }

  /** A number that is given or assumed. */
  amount(value: number): Amount {
    if (!this.chance(this.traits.assumed)) return value;
    return { assumed: value, ...this.maybe(0.5, () => ({ why: this.sentence() })) };
  }

  share(): number {
    return this.pick([0.01, 0.05, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 0.99]);
  }

  rate(): RateDocument {
    const average = this.chance(0.02) ? 0 : this.magnitude(-2, this.traits.rateMax);
    const peak = round(average * this.pick([1, 2, 3, 5, 10]));
    return this.choose<RateDocument>([
      [6, () => ({ average: this.amount(average), peak: this.amount(peak) })],
      [3, () => average],
      [0.3, () => ({ average: this.amount(average) })],
      [0.3, () => ({ assumed: average, ...this.maybe(0.5, () => ({ why: this.sentence() })) })],
      [this.traits.isIncomplete ? 0.3 : 0, () => ({ peak: this.amount(peak) })],
    ]);
  }

  /** A size in one of its spellings. */
  size(bytes: number): SizeText {
    return this.choose<SizeText>([
      [8, () => bytes],
      [1, () => `${bytes} B`],
      [0.5, () => `${bytes}B`],
      [bytes >= 100 ? 2 : 0, () => `${Number((bytes / 1_024).toFixed(2))} KB`],
      [bytes >= 50_000 ? 1 : 0, () => `${Number((bytes / 1_048_576).toFixed(3))} MB`],
    ]);
  }

  bytes(lowExponent: number, highExponent: number): BytesDocument {
    const bytes = Math.max(1, Math.round(this.magnitude(lowExponent, highExponent)));
    const most = Math.round(bytes * this.pick([1, 2, 5, 10]));
    return this.choose<BytesDocument>([
      [8, () => this.size(bytes)],
      [3, () => this.sizeRange(bytes, most)],
      [1, () => ({ shares: this.byteShares(bytes, most) })],
      [this.traits.assumed > 0.1 ? 2 : 0.2, () => this.assumedSize(bytes)],
    ]);
  }

  private sizeRange(bytes: number, most: number): BytesDocument {
    const min = this.size(bytes);
    // Spelled in another unit, the same size is rounded, and the reader refuses a min above the max.
    return { min, max: most === bytes ? min : this.size(most) };
  }

  private byteShares(bytes: number, most: number): Readonly<Record<string, number>> {
    if (most <= bytes) return { [String(bytes)]: 1 };
    const rare = this.pick([0.1, 0.25, 0.5]);
    return { [String(bytes)]: 1 - rare, [String(most)]: rare };
  }

  private assumedSize(bytes: number): BytesDocument {
    return { assumed: this.size(bytes), ...this.maybe(0.5, () => ({ why: this.sentence() })) };
  }

  /** A duration in one of its spellings. */
  duration(seconds: number): DurationText {
    return this.choose<DurationText>([
      [1, () => seconds],
      [2, () => `${seconds}s`],
      [seconds < 60 ? 4 : 0, () => `${Math.round(seconds * 1_000)}ms`],
      [seconds >= 60 ? 1 : 0, () => `${Number((seconds / 60).toFixed(1))}m`],
      [seconds >= 3_600 ? 1 : 0, () => `${Number((seconds / 3_600).toFixed(1))}h`],
      [seconds >= 86_400 ? 6 : 0, () => `${Number((seconds / 86_400).toFixed(1))}d`],
    ]);
  }

  sentence(): string {
    return this.pick([
      "as in last year",
      "agreed with the operators",
      "the numbers of a pilot",
      'written as "quoted" text',
      "needed: for an audit",
    ]);
  }
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}

import type { Notes } from "./stream-source.ts";

/** How far a shard has been read. */
export type Position =
  | { readonly kind: "start" }
  /** Nothing yet of what came since then, in milliseconds since the epoch; what was before is not wanted. */
  | { readonly kind: "since"; readonly since: number }
  /** From the record with this number on, or from the one after it. */
  | { readonly kind: "at" | "after"; readonly sequence: string }
  /** To its end. */
  | { readonly kind: "done" };

/** The shards of the streams of one table, by the streams' ARNs. */
type Positions = Map<string, Map<string, Position>>;

/**
 * How far one trigger has come with one table. It is kept with the data, so that the trigger goes on where
 * it stopped: what was handed over and not noted is handed over again, and nothing is left out.
 */
export class Checkpoints {
  readonly #notes: Notes;
  readonly #name: string;
  readonly #failed: (error: unknown) => void;
  readonly #positions: Positions;
  #saving: Promise<void> | undefined;
  #isDirty = false;

  private constructor(
    notes: Notes,
    name: string,
    positions: Positions,
    failed: (error: unknown) => void,
  ) {
    this.#notes = notes;
    this.#name = name;
    this.#positions = positions;
    this.#failed = failed;
  }

  /** `failed` is told when a note could not be written; the next one is tried all the same. */
  static async open(
    notes: Notes,
    name: string,
    failed: (error: unknown) => void,
  ): Promise<Checkpoints> {
    const text = await notes.read(name);
    return new Checkpoints(notes, name, text === undefined ? new Map() : parse(text), failed);
  }

  has(stream: string): boolean {
    return this.#positions.has(stream);
  }

  /** Of a stream that was begun. */
  position(stream: string, shard: string): Position | undefined {
    return this.#positions.get(stream)?.get(shard);
  }

  /** Begins with a stream, or notes how far a shard of it was read. Written soon, not at once. */
  set(stream: string, shard: string, position: Position): void {
    const shards = this.#positions.get(stream) ?? new Map<string, Position>();
    this.#positions.set(stream, shards.set(shard, position));
    this.#save();
  }

  begin(stream: string): void {
    if (!this.has(stream)) this.#positions.set(stream, new Map());
    this.#save();
  }

  /** Forgets what is no longer there. */
  keepShards(stream: string, shards: readonly string[]): void {
    const known = new Set(shards);
    for (const shard of this.#positions.get(stream)?.keys() ?? []) {
      if (!known.has(shard)) this.#positions.get(stream)?.delete(shard);
    }
  }

  forget(stream: string): void {
    if (this.#positions.delete(stream)) this.#save();
  }

  /** The streams that were begun. */
  get streams(): readonly string[] {
    return [...this.#positions.keys()];
  }

  /** Resolves when all is written that was noted before. */
  async saved(): Promise<void> {
    while (this.#saving !== undefined) await this.#saving;
  }

  /** One note is written at a time; what changes meanwhile is in the next one. */
  #save(): void {
    this.#isDirty = true;
    this.#saving ??= this.#write().finally(() => {
      this.#saving = undefined;
      if (this.#isDirty) this.#save();
    });
  }

  async #write(): Promise<void> {
    this.#isDirty = false;
    const isEmpty = this.#positions.size === 0;
    try {
      await this.#notes.write(this.#name, isEmpty ? undefined : format(this.#positions));
    } catch (error) {
      this.#failed(error);
    }
  }
}

function format(positions: Positions): string {
  const streams = [...positions].map(([arn, shards]) => [arn, Object.fromEntries(shards)]);
  return JSON.stringify({ version: 1, streams: Object.fromEntries(streams) });
}

function parse(text: string): Positions {
  const { streams } = JSON.parse(text) as {
    readonly streams: Readonly<Record<string, Readonly<Record<string, Position>>>>;
  };
  return new Map(
    Object.entries(streams).map(([arn, shards]) => [arn, new Map(Object.entries(shards))]),
  );
}

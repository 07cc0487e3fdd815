import { Wakefulness } from "./wakefulness.ts";

/** Somebody who can be written to. */
export interface Writer {
  write(answer: string | Buffer): void;
}

/**
 * Writes answers. A write wakes the client's process, which costs several times as much as the write
 * itself. So when several clients are talking, their answers gather until the end of this turn of the
 * event loop and leave one after the other: most of them find their reader awake. A single client's
 * answers leave at once.
 */
export class Outbox {
  #writers: Writer[] = [];
  #answers: (string | Buffer)[] = [];
  #latest: Writer | undefined;
  readonly #wakefulness = new Wakefulness();
  readonly #flush = (): void => this.flush();

  /** A request has come that will be answered here. */
  expect(): void {
    this.#wakefulness.asked();
  }

  send(writer: Writer, answer: string | Buffer): void {
    const alone = writer === this.#latest && this.#writers.length === 0;
    this.#latest = writer;
    if (alone) {
      writer.write(answer);
      this.#wakefulness.answered();
      return;
    }
    this.#answers.push(answer);
    if (this.#writers.push(writer) === 1) setImmediate(this.#flush);
  }

  /** Writes what waits now, for whoever is about to write or to close by other means. */
  flush(): void {
    const writers = this.#writers;
    if (writers.length === 0) return;
    const answers = this.#answers;
    this.#writers = [];
    this.#answers = [];
    for (let i = 0; i < writers.length; i += 1) {
      writers[i]?.write(answers[i] as string | Buffer);
    }
  }
}

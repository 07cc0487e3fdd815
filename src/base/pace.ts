export interface PaceOptions {
  /** How much longer than the work was the rest after it is. */
  readonly restPerWork: number;
  /** At least and at most so long: work that takes longer mostly waits itself. */
  readonly restMsMin: number;
  readonly restMsMax: number;
}

/**
 * Background work in small pieces, with rests between them that others have to themselves: the share of the
 * time that it takes stays the same on a slow machine, where pieces take longer. Whoever waits for the end
 * of the work asks to hurry: then there are no rests.
 */
export class Pace {
  readonly #options: PaceOptions;
  #hurried = 0;
  #cutShort: (() => void) | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  get isHurried(): boolean {
    return this.#hurried > 0;
  }

  async work(piece: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    await piece();
    const { restPerWork, restMsMin, restMsMax } = this.#options;
    const rest = restPerWork * (performance.now() - begun);
    await this.#rest(Math.min(Math.max(rest, restMsMin), restMsMax));
  }

  async hurry<T>(wait: () => Promise<T>): Promise<T> {
    this.#hurried += 1;
    this.#cutShort?.();
    try {
      return await wait();
    } finally {
      this.#hurried -= 1;
    }
  }

  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isHurried) {
        // Others still get a turn.
        setImmediate(resolve);
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        this.#cutShort = undefined;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      timer.unref();
      this.#cutShort = end;
    });
  }
}

/** Many pass together, or one alone: whoever wants to be alone keeps later ones waiting. */
export class Gate {
  #inside = 0;
  #closed: Promise<void> | undefined;
  #emptied: (() => void) | undefined;

  async together<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    let open = () => {};
    this.#closed = new Promise((resolve) => {
      open = () => {
        this.#closed = undefined;
        resolve();
      };
    });
    try {
      if (this.#inside > 0) {
        await new Promise<void>((resolve) => {
          this.#emptied = resolve;
        });
        this.#emptied = undefined;
      }
      return await work();
    } finally {
      open();
    }
  }
}

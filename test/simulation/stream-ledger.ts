export interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: {
    readonly Keys: { readonly pk: { readonly S: string } };
    readonly NewImage?: { readonly v: { readonly N: string } };
    readonly OldImage?: { readonly v: { readonly N: string } };
    readonly SequenceNumber: string;
  };
}

interface Part {
  readonly key: string;
  /** Unique among all writes; undefined: the item is deleted. */
  readonly value: string | undefined;
}

/**
 * What was written, and what a consumer read of it. It knows no order of writes that overlap, but the
 * stream must have one that explains everything: each record goes on from the record before it of its key,
 * the last one is what the item is now, and a write that was acknowledged has its record, once.
 */
export class StreamLedger {
  readonly #acknowledged = new Set<string>();
  readonly #begun = new Set<string>();
  /** Writes under way when the process died: all of one has been done, or none. */
  readonly #unsure: (readonly Part[])[] = [];
  readonly #underWay = new Set<readonly Part[]>();
  readonly #latest = new Map<string, string | undefined>();
  readonly #read = new Set<string>();
  readonly #problems: string[] = [];
  records = 0;

  /** The write is sent; the answer is called when it was acknowledged. */
  begin(parts: readonly Part[]): () => void {
    for (const { value } of parts) if (value !== undefined) this.#begun.add(value);
    this.#underWay.add(parts);
    return () => {
      this.#underWay.delete(parts);
      for (const { value } of parts) if (value !== undefined) this.#acknowledged.add(value);
    };
  }

  died(): void {
    this.#unsure.push(...this.#underWay);
    this.#underWay.clear();
  }

  read({ eventName, dynamodb }: StreamRecord): void {
    this.records += 1;
    const key = dynamodb.Keys.pk.S;
    const before = dynamodb.OldImage?.v.N;
    const after = dynamodb.NewImage?.v.N;
    const where = `${dynamodb.SequenceNumber}: ${key}`;
    const event = before === undefined ? "INSERT" : after === undefined ? "REMOVE" : "MODIFY";
    if (eventName !== event) this.#problems.push(`${where} is ${eventName}, not ${event}`);
    const latest = this.#latest.get(key);
    if (before !== latest) {
      this.#problems.push(`${where} goes on from ${before}, but it was ${latest}`);
    }
    this.#latest.set(key, after);
    if (after === undefined) return;
    if (!this.#begun.has(after)) this.#problems.push(`${where} has ${after}, which nobody wrote`);
    if (this.#read.has(after)) this.#problems.push(`${where} has ${after} for the second time`);
    this.#read.add(after);
  }

  finallyIs(key: string, value: string | undefined): void {
    const latest = this.#latest.get(key);
    if (latest !== value)
      this.#problems.push(`${key} is ${value}, but the stream ends with ${latest}`);
  }

  problems(): readonly string[] {
    const missing = [...this.#acknowledged].filter((value) => !this.#read.has(value));
    const torn = this.#unsure.filter((parts) => {
      const puts = parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
      const done = puts.filter((value) => this.#read.has(value)).length;
      return done > 0 && done < puts.length;
    });
    return [
      ...this.#problems,
      ...missing.map((value) => `${value} was acknowledged, but is not in the stream`),
      ...torn.map((parts) => `half of ${JSON.stringify(parts)} is in the stream`),
    ];
  }
}

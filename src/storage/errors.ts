/** Another process, or another part of this one, has the data folder open for writing. */
export class StoreLockedError extends Error {
  override readonly name = "StoreLockedError";
  readonly folder: string;
  /** The process that holds the folder; undefined if it could not be found out. */
  readonly pid: number | undefined;

  constructor(folder: string, pid: number | undefined) {
    const holder =
      pid === undefined
        ? "another process"
        : pid === process.pid
          ? `this process (${pid})`
          : `process ${pid}`;
    super(`The data folder ${folder} is already open for writing by ${holder}.`);
    this.folder = folder;
    this.pid = pid;
  }
}

/** The data was written in a format that this version does not read, or is no data of ours. */
export class StoreFormatError extends Error {
  override readonly name = "StoreFormatError";
  readonly place: string;
  readonly found: string;
  readonly expected: string;

  constructor(place: string, found: string, expected: string) {
    super(`The store at ${place} has format ${found}; this version reads format ${expected}.`);
    this.place = place;
    this.found = found;
    this.expected = expected;
  }
}

export class StoreClosedError extends Error {
  override readonly name = "StoreClosedError";

  constructor() {
    super("The store is closed.");
  }
}

export class StoreReadOnlyError extends Error {
  override readonly name = "StoreReadOnlyError";

  constructor() {
    super("The store was opened for reading only.");
  }
}

/** The way from the top of a document to a part of it: names in maps, positions in lists. */
export type Path = readonly (string | number)[];

/** A path as people write it: `traffic[0].rate`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`,
    "",
  );
}

/** What is wrong in a document, and where. */
export interface Issue {
  readonly path: Path;
  /** Goes on after the path: "must be a number". */
  readonly message: string;
  /** It is the name that is wrong, not what it stands for. */
  readonly isName?: boolean;
  /** Where in a text it is wrong, counted in characters from its beginning. */
  readonly within?: number;
}

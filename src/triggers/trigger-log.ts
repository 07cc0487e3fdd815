/** Where a trigger tells what it does. Lines are whole when they are written. */
export class TriggerLog {
  readonly #write: (text: string) => void;
  readonly #now: () => number;

  constructor(write: (text: string) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  /** One line about a function: the time, its name, and what happened. */
  tell(name: string, text: string): void {
    const [first = "", ...more] = text.split("\n");
    const time = new Date(this.#now()).toISOString().slice(11, 23);
    this.#write(`${time} ${name} ${first}\n${more.map((line) => prefixed(name, line)).join("")}`);
  }

  /** What the function prints, or an error of it: each line after the function's name. */
  print(name: string, text: string): void {
    const lines = text.endsWith("\n") ? text.slice(0, -1) : text;
    this.#write(
      lines
        .split("\n")
        .map((line) => prefixed(name, line))
        .join(""),
    );
  }
}

const prefixed = (name: string, line: string): string => `[${name}] ${line}\n`;

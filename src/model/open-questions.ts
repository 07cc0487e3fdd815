import type { Path } from "../document/path.ts";
import type { Model } from "./model.ts";
import type { Rate } from "./quantities.ts";

/** Something that only the user can know and has not said. It never gets a default. */
export interface OpenQuestion {
  readonly about: "count" | "size" | "rate" | "status" | "fan-out";
  readonly path: Path;
  readonly question: string;
}

export function openQuestions(model: Model): readonly OpenQuestion[] {
  const questions: OpenQuestion[] = [];
  const ask = (about: OpenQuestion["about"], path: Path, question: string): void =>
    void questions.push({ about, path, question });
  for (const { name, path, count, attributes } of model.entities.values()) {
    if (count === undefined) ask("count", path, `How many ${name} are there? (count)`);
    for (const attribute of attributes.values()) {
      if (attribute.size === undefined) {
        ask("size", attribute.path, `How many bytes has ${name}.${attribute.name}? (bytes)`);
      }
    }
  }
  const askRate = (path: Path, { average, peak }: Rate, what: string): void => {
    if (average === undefined && peak === undefined) {
      ask("rate", path, `How many requests per second has ${what}? (rps)`);
    } else if (average === undefined) {
      ask("rate", path, `What is the average of ${what}? (rps.average)`);
    } else if (peak === undefined) {
      ask("rate", path, `What is the peak of ${what}? (rps.peak)`);
    }
  };
  for (const { id, path, rps, status, name } of model.patterns.values()) {
    if (status !== "declined") askRate(path, rps, `pattern ${id}, ${name}`);
    if (status === "open") ask("status", path, `How is pattern ${id}, ${name}, solved? (status)`);
  }
  for (const { name, path, rps } of model.workflows.values()) {
    askRate(path, rps, `workflow ${name}`);
  }
  for (const { path, from, to, kind, average } of model.relations) {
    if (average === undefined && kind !== "one-to-one") {
      ask("fan-out", path, `How many ${to} has one ${from} on average? (average)`);
    }
  }
  return questions;
}

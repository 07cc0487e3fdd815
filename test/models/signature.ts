import type { ModelDocument } from "../../src/model/model-document.ts";
import { attributeNames } from "./random-attributes.ts";
import { entityNames, partNames, tenantName } from "./random-entities.ts";

/** Makes one text of messages that differ only in names and numbers, so that they count as one failure. */

const lengthMax = 200;

/** Names that the generator draws. They are replaced even where a document does not have them. */
const drawnNames = [
  ...attributeNames,
  ...partNames,
  tenantName,
  ...["id", "handle", "sku", "version", "revisionCount", "otherId"],
  ...["ownerId", "authorId", "sourceId", "followedId"],
];

/** Entities, their tables and indexes, and attributes that are called after an entity. */
const derivedName = new RegExp(
  `(?<![\\w-])(?:(?:${entityNames.join("|")})\\w*|(?:${entityNames.map(lowerFirst).join("|")})[A-Z]\\w*)(?!\\w)`,
  "g",
);
const patternId = /\b(?:read|create|update|transact|delete|workflow)-\d+/g;
const numberText = /(?<![A-Za-z<])-?\d[\d,._]*(?:e[+-]?\d+)?/g;
const quotedText = /'[^']*'|"[^"]*"|`[^`]*`/g;
const nameList = /<x>(?:(?:, | and | or |[.#/+|-])(?:<x>|<n>))+/g;

/** A message without names and numbers. */
export function normalise(message: string, names: readonly string[]): string {
  const known = [...new Set([...names, ...drawnNames])]
    .filter((name) => name.length > 1 && !/^\d+$/.test(name))
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const knownName = new RegExp(`(?<![\\w-])(?:${known.join("|")})(?![\\w-])`, "g");
  const plain = message
    .replaceAll(quotedText, "<x>")
    .replaceAll(patternId, "<n>")
    .replaceAll(derivedName, "<x>")
    .replaceAll(knownName, "<x>")
    .replaceAll(numberText, "<n>")
    .replaceAll(nameList, "<x>");
  const clauses = [...new Set(plain.split("; "))].join("; ");
  return clauses.replaceAll(/\s+/g, " ").trim().slice(0, lengthMax);
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The names that a document gives to entities, attributes, patterns, workflows, tables and indexes. */
export function namesIn(document: ModelDocument): readonly string[] {
  const tables = Object.entries(document.design?.tables ?? {});
  return [
    ...Object.entries(document.entities).flatMap(([name, { attributes }]) => [
      name,
      ...Object.keys(attributes),
    ]),
    ...Object.keys(document.patterns ?? {}),
    ...Object.keys(document.workflows ?? {}),
    ...tables.flatMap(([name, { indexes = {}, key }]) => [
      name,
      ...Object.keys(indexes),
      ...Object.keys(key ?? {}),
    ]),
    document.name,
  ];
}

/** The innermost function of the product in a stack, without its line. */
export function stackTop(stack: string | undefined): string {
  const frames = (stack ?? "").split("\n").filter((line) => line.trim().startsWith("at "));
  const frame =
    frames.find((line) => line.includes("/src/modeller/")) ??
    frames.find((line) => line.includes("/src/") && !line.includes("/base/assert.ts"));
  const [, call = "", file = ""] =
    /at (?:async )?(?:(\S+)(?: \[as \w+\])? \()?(?:file:\/\/)?(\S+?):\d+:\d+\)?/.exec(
      frame ?? "",
    ) ?? [];
  return `${call} ${file.replace(/^.*\/src\//, "src/")}`.trim();
}

import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar } from "yaml";

/** A document that is wrong in one place. */
export interface Mutant {
  readonly what: string;
  readonly text: string;
  /** A name that the complaint must suggest. */
  readonly suggests?: string;
}

interface Spot {
  readonly path: readonly string[];
  readonly node: Scalar;
  readonly isKey: boolean;
}

/** Texts that people write as they like, and what is not held against anything. */
const free = new Set(
  "name description purpose story why about chosen what reason on domain context compliance requirements considerations declined discriminator filter tags tradeoffs rule service node region schedule start note".split(
    " ",
  ),
);
const freeNames = new Set(["values", "tags", "filter", "shares"]);

function spots(text: string): readonly Spot[] {
  const found: Spot[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (isScalar(node)) found.push({ path, node, isKey: false });
    else if (isSeq(node)) node.items.forEach((one, i) => void visit(one, [...path, `${i}`]));
    else if (isMap(node)) {
      for (const { key, value } of node.items) {
        const at = [...path, String((key as Scalar).value)];
        found.push({ path: at, node: key as Scalar, isKey: true });
        visit(value, at);
      }
    }
  };
  visit(parseDocument(text).contents, []);
  return found;
}

const isFree = ({ path, isKey }: Spot): boolean =>
  path.slice(0, isKey ? -1 : undefined).some((step) => freeNames.has(step)) ||
  (!isKey && path.some((step, i) => free.has(step) && i > 0 && path[i - 1] !== "attributes")) ||
  path[0] === "ignore";

const replaced = (text: string, { node }: Spot, by: string): string => {
  const [start = 0, end = 0] = (node as Node).range ?? [];
  return text.slice(0, start) + by + text.slice(end);
};

/** Two neighbours in the middle change places. */
export function misspelt(name: string): string | undefined {
  for (let i = Math.max(1, Math.floor(name.length / 2) - 1); i + 1 < name.length; i += 1) {
    const [a, b] = [name[i], name[i + 1]];
    if (a !== b && /\w/.test(`${a}`) && /\w/.test(`${b}`)) {
      return name.slice(0, i) + b + a + name.slice(i + 2);
    }
  }
  return undefined;
}

/** Where names are given, not used. */
function isDefinition({ path: [a, , c, d, e], path, isKey }: Spot): boolean {
  if (!isKey) return false;
  if (path.length === 2 && ["entities", "patterns", "workflows"].includes(a ?? "")) return true;
  if (a === "entities" && c === "attributes" && path.length === 4) return true;
  if (a !== "design") return false;
  const isTable = path.length === 3;
  return isTable || ((d === "key" || d === "indexes") && path.length === 5 && e !== undefined);
}

export function mutantsOf(text: string): readonly Mutant[] {
  const all = spots(text);
  const definitions = all.filter(isDefinition).map(({ node }) => String(node.value));
  const names = new Set(definitions.filter((name) => name.length > 2));
  const mutants: Mutant[] = [];
  for (const spot of all) {
    const { node, path, isKey } = spot;
    if (isFree(spot)) continue;
    const value = String(node.value);
    const what = path.join(".");
    const wrong = misspelt(value);
    const used = !isDefinition(spot) && (isKey || names.has(value));
    if (used && wrong !== undefined && value.length > 2 && !names.has(wrong)) {
      const suggests = value;
      mutants.push({ what: `misspelt ${what}`, text: replaced(text, spot, wrong), suggests });
    }
    if (isKey) continue;
    mutants.push(...valueMutants(text, spot, names));
  }
  return [...mutants, ...brokenTexts(text)];
}

function valueMutants(text: string, spot: Spot, names: ReadonlySet<string>): readonly Mutant[] {
  const { node, path } = spot;
  const what = path.join(".");
  const mutants: Mutant[] = [
    { what: `a list for ${what}`, text: replaced(text, spot, "[[]]") },
    { what: `nothing for ${what}`, text: replaced(text, spot, "null") },
  ];
  if (typeof node.value === "number" && !["adds", "condition"].some((one) => path.includes(one))) {
    mutants.push({ what: `below zero for ${what}`, text: replaced(text, spot, "-1") });
  }
  if (typeof node.value !== "string") return mutants;
  for (const [, name = ""] of node.value.matchAll(/\{(\w+)[|}]/g)) {
    const wrong = misspelt(name);
    if (wrong === undefined || names.has(wrong)) continue;
    const text2 = replaced(text, spot, JSON.stringify(node.value.replace(`{${name}`, `{${wrong}`)));
    mutants.push({ what: `misspelt in the key ${what}`, text: text2, suggests: name });
  }
  for (const name of node.value.split(".")) {
    const wrong = names.has(name) && node.value.includes(".") ? misspelt(name) : undefined;
    if (wrong === undefined || names.has(wrong)) continue;
    const text2 = replaced(text, spot, node.value.replace(name, wrong));
    mutants.push({ what: `misspelt in ${what}`, text: text2, suggests: name });
  }
  return mutants;
}

function brokenTexts(text: string): readonly Mutant[] {
  const lines = text.split("\n");
  return lines.flatMap((line, i) => {
    const put = (by: string): string => lines.with(i, by).join("\n");
    const mutants: Mutant[] = [];
    if (line.includes("{") && line.includes("}")) {
      mutants.push({
        what: `no } in line ${i + 1}`,
        text: put(line.slice(0, line.lastIndexOf("}"))),
      });
      mutants.push({
        what: `the file ends in line ${i + 1}`,
        text: [...lines.slice(0, i), line.slice(0, line.lastIndexOf("{") + 1)].join("\n"),
      });
    }
    if (/^ +[\w-]+: *$/.test(line)) {
      mutants.push({ what: `a tab in line ${i + 1}`, text: put(`\t${line.trimStart()}`) });
      mutants.push({ what: `line ${i + 1} twice`, text: put(`${line}\n${line}`) });
    }
    return mutants;
  });
}

import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from "yaml";
import { emptyRecord } from "../base/record.ts";

/** Deeper is a mistake or an attack; our documents need a third of it. */
export const depthMax = 64;

/** Something in the tree that a document may not have, and where it begins. */
export interface NodeComplaint {
  readonly offset: number;
  readonly message: string;
}

/** A number may have underscores between its digits, as in many languages. */
const grouped = /^[-+]?\d+(_\d+)+(\.\d+)?$/;

/** The name that a pair has: as it was written, so `1.50` stays what it is. */
export function nameOf(pair: Pair): string | undefined {
  if (!isScalar(pair.key)) return undefined;
  const { source, value } = pair.key as Scalar;
  return typeof value === "string" ? value : (source ?? String(value));
}

/**
 * The value of a tree as JSON knows them. Names come from the file and may be `__proto__`: records
 * without a prototype. An alias would let a small file stand for a huge one, and what it stands for
 * has no place of its own, so there are none.
 */
export function nodeValue(root: Node | null, complain: (one: NodeComplaint) => void): unknown {
  const visit = (node: unknown, offset: number, depth: number): unknown => {
    const at = (node as Node | null)?.range?.[0] ?? offset;
    const refuse = (message: string): undefined => {
      complain({ offset: at, message });
      return undefined;
    };
    if (isScalar(node)) return scalarValue(node);
    if (isAlias(node)) {
      return refuse(`*${node.source} is an alias; write out what it stands for`);
    }
    if (depth >= depthMax) return refuse(`nothing may lie deeper than ${depthMax} levels`);
    if (isSeq(node)) return node.items.map((one) => visit(one, at, depth + 1));
    if (!isMap(node)) return null;
    const record = emptyRecord<unknown>();
    const seen = new Set<string>();
    for (const pair of node.items) {
      const keyAt = (pair.key as Node | null)?.range?.[0] ?? at;
      const name = nameOf(pair);
      if (name === undefined) {
        complain({ offset: keyAt, message: "a name in a map must be a plain text" });
      } else if (seen.has(name)) {
        complain({ offset: keyAt, message: `'${name}' is there twice; keep one` });
      } else {
        seen.add(name);
        record[name] = visit(pair.value, keyAt, depth + 1);
      }
    }
    return record;
  };
  return visit(root, 0, 0);
}

function scalarValue({ value, source, type }: Scalar): unknown {
  if (type === "PLAIN" && typeof value === "string" && grouped.test(value)) {
    return Number(value.replaceAll("_", ""));
  }
  return typeof value === "bigint" ? Number(source) : value;
}

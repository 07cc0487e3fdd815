import type { Junction, Logical, Negation } from "./tree.ts";

/*
 * Walks over trees of AND, OR and NOT. A statement of 8,192 characters can nest thousands of them, so
 * no walk may use the call stack: the nodes that are still open are kept in a list.
 */

interface Kinded {
  readonly kind: string;
}

/** What a fold makes of each kind of node. */
export interface LogicalFold<Leaf, Result> {
  leaf(leaf: Leaf): Result;
  not(inner: Result): Result;
  join(kind: "and" | "or", left: Result, right: Result): Result;
}

interface OpenNode<Leaf, Result> {
  readonly node: Junction<Leaf> | Negation<Leaf>;
  /** The result of the left side, as soon as the right side is being visited. */
  left: { readonly result: Result } | undefined;
}

/** A post-order fold: the leaves are visited in the order in which they are written. */
export function foldLogical<Leaf extends Kinded, Result>(
  root: Logical<Leaf>,
  { leaf, not, join }: LogicalFold<Leaf, Result>,
): Result {
  const open: OpenNode<Leaf, Result>[] = [];
  for (let node = root; ; ) {
    if (isNegation(node) || isJunction(node)) {
      open.push({ node, left: undefined });
      node = isNegation(node) ? node.inner : node.left;
      continue;
    }
    let result = leaf(node);
    for (;;) {
      const parent = open.at(-1);
      if (parent === undefined) return result;
      if (isNegation(parent.node)) result = not(result);
      else if (parent.left === undefined) {
        parent.left = { result };
        node = parent.node.right;
        break;
      } else result = join(parent.node.kind, parent.left.result, result);
      open.pop();
    }
  }
}

/** A tree whose root is not an AND. */
export type Conjunct<Leaf> = Leaf | Extract<Junction<Leaf>, { kind: "or" }> | Negation<Leaf>;

/** The operands of the ANDs at the top of the tree, in the order in which they are written. */
export function conjunctsOf<Leaf extends Kinded>(root: Logical<Leaf>): readonly Conjunct<Leaf>[] {
  const conjuncts: Conjunct<Leaf>[] = [];
  const waiting: Logical<Leaf>[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isJunction(node) && node.kind === "and") waiting.push(node.right, node.left);
    else conjuncts.push(node as Conjunct<Leaf>);
  }
  return conjuncts;
}

function isJunction<Leaf extends Kinded>(node: Logical<Leaf>): node is Junction<Leaf> {
  return node.kind === "and" || node.kind === "or";
}

function isNegation<Leaf extends Kinded>(
  node: Logical<Leaf> | Junction<Leaf>,
): node is Negation<Leaf> {
  return node.kind === "not";
}

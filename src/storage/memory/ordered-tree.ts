import { compareBytes } from "../bytes.ts";
import type { Bytes } from "../store.ts";

/** Entries of a leaf or children of a branch. */
const nodeSizeMax = 64;
/** A node that shrinks below this joins a neighbour if both fit into one node. */
const nodeSizeMin = 16;

/** Whoever holds the token may change the nodes that carry it; everybody else copies them first. */
type Owner = object;

interface Leaf {
  readonly owner: Owner;
  readonly children: undefined;
  readonly keys: Bytes[];
  readonly values: Bytes[];
}

interface Branch {
  readonly owner: Owner;
  readonly children: Node[];
  /** `keys[i]` is above every key of `children[i]` and not above any key of `children[i + 1]`. */
  readonly keys: Bytes[];
  readonly values: undefined;
}

type Node = Leaf | Branch;

/** Answers false to stop. */
export type Visit = (key: Bytes, value: Bytes) => boolean;

/**
 * A B+tree of byte strings. `snapshot` is O(1): both trees then share all nodes and either copies a
 * node when it first changes it. Keys and values are kept as handed in, never copied or changed.
 */
export class OrderedTree {
  #owner: Owner = {};
  #root: Node;
  #size: number;

  constructor(from?: OrderedTree) {
    this.#root = from ? from.#root : leafOf(this.#owner, [], []);
    this.#size = from ? from.#size : 0;
  }

  get size(): number {
    return this.#size;
  }

  snapshot(): OrderedTree {
    this.#owner = {};
    return new OrderedTree(this);
  }

  get(key: Bytes): Bytes | undefined {
    let node = this.#root;
    while (node.children !== undefined) node = node.children[childIndex(node, key)] as Node;
    const index = firstNotBelow(node.keys, key);
    const found = node.keys[index];
    if (found === undefined || compareBytes(found, key) !== 0) return undefined;
    return node.values[index];
  }

  put(key: Bytes, value: Bytes): void {
    let node = this.#ownRoot();
    if (sizeOf(node) >= nodeSizeMax) {
      const root: Branch = { owner: this.#owner, children: [node], keys: [], values: undefined };
      this.#root = root;
      this.#split(root, 0, key);
      node = root;
    }
    // Full nodes are split on the way down, so that a split never has to travel up again.
    while (node.children !== undefined) {
      let index = childIndex(node, key);
      if (sizeOf(node.children[index] as Node) >= nodeSizeMax) {
        this.#split(node, index, key);
        index = childIndex(node, key);
      }
      node = this.#ownChild(node, index);
    }
    const index = firstNotBelow(node.keys, key);
    const found = node.keys[index];
    if (found !== undefined && compareBytes(found, key) === 0) {
      node.values[index] = value;
      return;
    }
    insertAt(node.keys, index, key);
    insertAt(node.values, index, value);
    this.#size++;
  }

  delete(key: Bytes): boolean {
    // A missing key must not copy the nodes on its path.
    if (this.get(key) === undefined) return false;
    this.#remove(this.#ownRoot(), key);
    this.#size--;
    while (this.#root.children !== undefined && this.#root.children.length === 1) {
      this.#root = this.#root.children[0] as Node;
    }
    return true;
  }

  /** Visits the entries from `start` inclusive to `end` exclusive in ascending order. */
  ascend(start: Bytes, end: Bytes, visit: Visit): void {
    ascendNode(this.#root, start, end, visit);
  }

  /** Visits the same entries in descending order. */
  descend(start: Bytes, end: Bytes, visit: Visit): void {
    descendNode(this.#root, start, end, visit);
  }

  #ownRoot(): Node {
    if (this.#root.owner !== this.#owner) this.#root = copyOf(this.#root, this.#owner);
    return this.#root;
  }

  #ownChild(parent: Branch, index: number): Node {
    const child = parent.children[index] as Node;
    if (child.owner === this.#owner) return child;
    const copy = copyOf(child, this.#owner);
    parent.children[index] = copy;
    return copy;
  }

  #split(parent: Branch, index: number, key: Bytes): void {
    const left = this.#ownChild(parent, index);
    const at = splitPoint(left, key);
    if (left.children === undefined) {
      const right = leafOf(this.#owner, left.keys.splice(at), left.values.splice(at));
      insertAt(parent.keys, index, right.keys[0] as Bytes);
      insertAt<Node>(parent.children, index + 1, right);
      return;
    }
    const right: Branch = {
      owner: this.#owner,
      children: left.children.splice(at),
      keys: left.keys.splice(at),
      values: undefined,
    };
    insertAt(parent.keys, index, left.keys.pop() as Bytes);
    insertAt<Node>(parent.children, index + 1, right);
  }

  #remove(node: Node, key: Bytes): void {
    if (node.children === undefined) {
      const index = firstNotBelow(node.keys, key);
      node.keys.splice(index, 1);
      node.values.splice(index, 1);
      return;
    }
    const index = childIndex(node, key);
    const child = this.#ownChild(node, index);
    this.#remove(child, key);
    if (sizeOf(child) < nodeSizeMin) {
      if (!this.#join(node, index)) this.#join(node, index - 1);
    }
  }

  /** Moves the child after `index` into the child at `index` if both fit into one node. */
  #join(parent: Branch, index: number): boolean {
    const right = parent.children[index + 1];
    const candidate = parent.children[index];
    if (right === undefined || candidate === undefined) return false;
    if (sizeOf(candidate) + sizeOf(right) >= nodeSizeMax) return false;
    const left = this.#ownChild(parent, index);
    const separator = parent.keys[index] as Bytes;
    if (left.children !== undefined && right.children !== undefined) {
      left.keys.push(separator, ...right.keys);
      left.children.push(...right.children);
    } else if (left.children === undefined && right.children === undefined) {
      left.keys.push(...right.keys);
      left.values.push(...right.values);
    }
    parent.keys.splice(index, 1);
    parent.children.splice(index + 1, 1);
    return true;
  }
}

function leafOf(owner: Owner, keys: Bytes[], values: Bytes[]): Leaf {
  return { owner, children: undefined, keys, values };
}

function copyOf(node: Node, owner: Owner): Node {
  if (node.children === undefined) return leafOf(owner, node.keys.slice(), node.values.slice());
  return { owner, children: node.children.slice(), keys: node.keys.slice(), values: undefined };
}

function sizeOf(node: Node): number {
  return node.children === undefined ? node.keys.length : node.children.length;
}

/** Where a full node is cut: in the middle, but near the end if keys arrive in ascending order. */
function splitPoint(node: Node, key: Bytes): number {
  const last = node.keys[node.keys.length - 1] as Bytes;
  if (compareBytes(key, last) > 0) return nodeSizeMax - 2;
  return nodeSizeMax >> 1;
}

/** The index of the child whose range holds the key. */
function childIndex(branch: Branch, key: Bytes): number {
  const keys = branch.keys;
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(keys[middle] as Bytes, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstNotBelow(keys: readonly Bytes[], key: Bytes): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(keys[middle] as Bytes, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insertAt<T>(array: T[], index: number, element: T): void {
  if (index === array.length) array.push(element);
  else array.splice(index, 0, element);
}

/** False once the end of the range is reached or the visitor has stopped. */
function ascendNode(node: Node, start: Bytes | undefined, end: Bytes, visit: Visit): boolean {
  if (node.children === undefined) {
    const { keys, values } = node;
    const first = start === undefined ? 0 : firstNotBelow(keys, start);
    const last = keys[keys.length - 1];
    // One comparison per leaf instead of one per entry.
    const inside = last === undefined || compareBytes(last, end) < 0;
    const stop = inside ? keys.length : firstNotBelow(keys, end);
    for (let i = first; i < stop; i++) {
      if (!visit(keys[i] as Bytes, values[i] as Bytes)) return false;
    }
    return inside;
  }
  const children = node.children;
  const first = start === undefined ? 0 : childIndex(node, start);
  for (let i = first; i < children.length; i++) {
    // Only the first child can hold keys below the start.
    if (!ascendNode(children[i] as Node, i === first ? start : undefined, end, visit)) return false;
  }
  return true;
}

function descendNode(node: Node, start: Bytes, end: Bytes | undefined, visit: Visit): boolean {
  if (node.children === undefined) {
    const { keys, values } = node;
    const stop = end === undefined ? keys.length : firstNotBelow(keys, end);
    const first = keys[0];
    const inside = first === undefined || compareBytes(first, start) >= 0;
    const last = inside ? 0 : firstNotBelow(keys, start);
    for (let i = stop - 1; i >= last; i--) {
      if (!visit(keys[i] as Bytes, values[i] as Bytes)) return false;
    }
    return inside;
  }
  const children = node.children;
  const last = end === undefined ? children.length - 1 : childIndex(node, end);
  for (let i = last; i >= 0; i--) {
    if (!descendNode(children[i] as Node, start, i === last ? end : undefined, visit)) return false;
  }
  return true;
}

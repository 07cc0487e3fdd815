import { allOf, beginsWith, type Condition, equalTo } from "./conditions.ts";
import { ValueError } from "./numbers.ts";
import { type Attributes, ownOf } from "./values.ts";

/**
 * Graphs as adjacency lists: a node and the edges that leave it are one item collection. Edges are found from their
 * other end through an index with both keys exchanged, or through a mirrored item.
 */

/** A thing by its kind and id. A kind holds no separator; an id may hold anything. */
export interface GraphNode {
  readonly kind: string;
  readonly id: string;
}

export interface GraphEdge {
  readonly from: GraphNode;
  /** What the edge means: `FOLLOWS`. */
  readonly label: string;
  readonly to: GraphNode;
}

export interface GraphNames {
  /** The table's key. */
  readonly partition: string;
  readonly sort: string;
  /** The key of the index in which edges are found from their other end. */
  readonly inversePartition: string;
  readonly inverseSort: string;
}

export interface GraphOptions {
  readonly names?: GraphNames | undefined;
  readonly separator?: string | undefined;
}

export const graphNames: GraphNames = {
  partition: "pk",
  sort: "sk",
  inversePartition: "inversePk",
  inverseSort: "inverseSk",
};

/** The keys of one graph. */
export class AdjacencyList {
  readonly names: GraphNames;
  readonly #separator: string;

  constructor({ names = graphNames, separator = "#" }: GraphOptions = {}) {
    if (separator.length !== 1) throw new ValueError("a separator is one character");
    this.names = names;
    this.#separator = separator;
  }

  /** The key of the node's own item: `USER#7` and `@`, which sorts before all labels that begin with a letter. */
  node(node: GraphNode): Record<string, string> {
    const { partition, sort } = this.names;
    return { [partition]: this.#nodeText(node), [sort]: "@" };
  }

  /** The key of an edge, and the attributes that put it into the inverse index. */
  edge(edge: GraphEdge): Record<string, string> {
    const { inversePartition, inverseSort } = this.names;
    return {
      ...this.edgeKey(edge),
      [inversePartition]: this.#nodeText(edge.to),
      [inverseSort]: this.#edgeText(edge.label, edge.from),
    };
  }

  /** The table's key of an edge alone: for reading and deleting it. */
  edgeKey({ from, label, to }: GraphEdge): Record<string, string> {
    const { partition, sort } = this.names;
    return { [partition]: this.#nodeText(from), [sort]: this.#edgeText(label, to) };
  }

  /**
   * The same edge as an item at its other end, for tables without the index: its label is another one, for
   * it is read the other way (`FOLLOWED_BY`). Write both in one transaction.
   */
  mirror({ from, to }: GraphEdge, label: string): Record<string, string> {
    return this.edgeKey({ from: to, label, to: from });
  }

  /** The condition of a query for the edges that leave a node, all or those of a label and a kind of node. */
  leaving(node: GraphNode, label?: string, kind?: string): Condition {
    const { partition, sort } = this.names;
    return this.#edges(partition, sort, node, label, kind);
  }

  /** The same for the edges that arrive at a node: a query of the inverse index. */
  arriving(node: GraphNode, label?: string, kind?: string): Condition {
    const { inversePartition, inverseSort } = this.names;
    return this.#edges(inversePartition, inverseSort, node, label, kind);
  }

  /** The edge that an item stands for; nothing if it is a node, or something else. */
  edgeOf(item: Attributes): GraphEdge | undefined {
    const { partition, sort } = this.names;
    const [start, rest] = [ownOf(item, partition), ownOf(item, sort)];
    if (typeof start !== "string" || typeof rest !== "string") return undefined;
    const from = this.#nodeIn(start);
    const [label, end] = this.#split(rest);
    const to = end === undefined ? undefined : this.#nodeIn(end);
    return from === undefined || to === undefined ? undefined : { from, label, to };
  }

  /** The node that an item stands for; nothing if it is an edge. */
  nodeOf(item: Attributes): GraphNode | undefined {
    const { partition, sort } = this.names;
    const start = ownOf(item, partition);
    if (typeof start !== "string" || ownOf(item, sort) !== "@") return undefined;
    return this.#nodeIn(start);
  }

  #edges(
    partition: string,
    sort: string,
    node: GraphNode,
    label: string | undefined,
    kind: string | undefined,
  ): Condition {
    if (label === undefined && kind !== undefined) {
      throw new ValueError("a kind of nodes is asked for with a label");
    }
    const words = [label, kind].filter((word) => word !== undefined);
    const prefix = words.map((word) => this.#word(word) + this.#separator).join("");
    const isNode = equalTo(partition, this.#nodeText(node));
    return prefix === "" ? isNode : allOf(isNode, beginsWith(sort, prefix));
  }

  #edgeText(label: string, node: GraphNode): string {
    return this.#word(label) + this.#separator + this.#nodeText(node);
  }

  #nodeText({ kind, id }: GraphNode): string {
    return this.#word(kind) + this.#separator + id;
  }

  #nodeIn(text: string): GraphNode | undefined {
    const [kind, id] = this.#split(text);
    return id === undefined ? undefined : { kind, id };
  }

  #split(text: string): readonly [string, string | undefined] {
    const at = text.indexOf(this.#separator);
    if (at < 0) return [text, undefined];
    return [text.slice(0, at), text.slice(at + this.#separator.length)];
  }

  /** A word with a separator in it could not be told from two. */
  #word(word: string): string {
    if (word === "" || word.includes(this.#separator)) {
      throw new ValueError(`'${word}' cannot be a word of a graph's keys`);
    }
    return word;
  }
}

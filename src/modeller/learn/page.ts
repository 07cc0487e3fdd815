import type { TopicId } from "./topics.ts";

/**
 * What a page can say. Texts are paragraphs; what is between backticks is code. Each group has sections of
 * its own, and the types hold a page to them.
 */

export type Block =
  | string
  | { readonly list: readonly string[] }
  | { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly code: string };

export interface SeeAlso {
  readonly topics: readonly TopicId[];
  /** Files in examples/models, without their ending. */
  readonly examples?: readonly string[];
  /** Rules of `keywright lint`. */
  readonly rules?: readonly string[];
}

/** A request that a pattern of the example leads to. */
export interface ExampleRequest {
  /** The pattern of the example's model. */
  readonly pattern: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Example {
  /** A whole model document, in YAML. */
  readonly model: string;
  readonly requests: readonly ExampleRequest[];
}

interface Common {
  readonly id: TopicId;
  /** One sentence. */
  readonly summary: string;
  readonly see: SeeAlso;
}

export interface ConceptPage extends Common {
  readonly what: readonly Block[];
  /** What it means for a design. */
  readonly follows: readonly Block[];
}

export interface PatternPage extends Common {
  readonly when: readonly string[];
  readonly how: readonly Block[];
  readonly pitfalls: readonly string[];
  readonly example: Example;
}

export interface LimitPage extends Common {
  readonly numbers: readonly Block[];
}

export interface PricePage extends Common {
  readonly paid: readonly Block[];
  readonly worth: readonly Block[];
}

export type Page = ConceptPage | PatternPage | LimitPage | PricePage;

import type { Amount, Direction, OperatorName, OperatorsDocument } from "./document-parts.ts";
import type {
  AttributeType,
  RelationDocument,
  StepDocument,
  TogetherDocument,
} from "./document-requirements.ts";
import type { ModelDocument } from "./model-document.ts";

/**
 * A model in TypeScript, of the same shape as the document. The compiler checks that entities,
 * attributes and patterns that it names are there, also inside the texts of keys.
 */
export function defineModel<const M extends ModelDocument>(model: M & Checked<M>): M {
  return model;
}

type Name<T> = keyof T & string;
type Entities<M extends ModelDocument> = Name<M["entities"]>;

/** The attributes of an entity. */
type Attributes<M extends ModelDocument, E> =
  E extends Entities<M> ? Name<M["entities"][E]["attributes"]> : never;

/** `Order.total`: an attribute of any entity. */
type AttributeOf<M extends ModelDocument> = {
  [E in Entities<M>]: `${E}.${Attributes<M, E>}`;
}[Entities<M>];

type PatternIds<M extends ModelDocument> = M["patterns"] extends object
  ? keyof M["patterns"] | `${keyof M["patterns"] & (string | number)}`
  : never;

/** What is checked of a model: names alone, the rest is in the types of the document. */
type Checked<M extends ModelDocument> = {
  readonly entities: {
    readonly [E in Entities<M>]: {
      readonly id: readonly Attributes<M, E>[];
      readonly version?: Attributes<M, E>;
      readonly attributes: {
        readonly [A in Attributes<M, E>]: {
          readonly keeps?: {
            readonly count?: Entities<M>;
            readonly sum?: AttributeOf<M>;
            readonly max?: AttributeOf<M>;
            readonly min?: AttributeOf<M>;
          };
        };
      };
    };
  };
  readonly relations?: readonly (RelationDocument & {
    readonly from: Entities<M>;
    readonly to: Entities<M>;
    readonly via?: Entities<M>;
  })[];
  readonly patterns?: { readonly [P in keyof M["patterns"]]: CheckedPattern<M, M["patterns"][P]> };
  readonly workflows?: {
    readonly [W in keyof M["workflows"]]: { readonly steps: readonly PatternIds<M>[] };
  };
  readonly design?: {
    readonly tables: M extends { readonly design: { readonly tables: infer T } }
      ? { readonly [N in keyof T]: CheckedTable<M, T[N]> }
      : unknown;
  };
};

type EntityOf<P> = P extends { readonly read: infer E }
  ? E
  : P extends { readonly create: infer E }
    ? E
    : P extends { readonly update: infer E }
      ? E
      : P extends { readonly delete: infer E }
        ? E
        : P extends { readonly check: infer E }
          ? E
          : never;

type CheckedAction<M extends ModelDocument, A> = {
  readonly read?: Entities<M>;
  readonly create?: Entities<M>;
  readonly update?: Entities<M>;
  readonly delete?: Entities<M>;
  readonly where?: CheckedNames<A, "where", Attributes<M, EntityOf<A>>, Comparison>;
  readonly order?: CheckedNames<A, "order", Attributes<M, EntityOf<A>>, Direction>;
  readonly adds?: CheckedNames<A, "adds", Attributes<M, EntityOf<A>>, number>;
  readonly returns?: readonly Attributes<M, EntityOf<A>>[] | "all" | "keys";
  readonly changes?:
    | readonly Attributes<M, EntityOf<A>>[]
    | CheckedNames<A, "changes", Attributes<M, EntityOf<A>>, string | number | boolean>;
  readonly appends?: readonly Attributes<M, EntityOf<A>>[];
  readonly removes?: readonly Attributes<M, EntityOf<A>>[];
};

type CheckedPattern<M extends ModelDocument, P> = P extends { readonly transaction: infer S }
  ? { readonly transaction: { readonly [I in keyof S]: StepDocument & CheckedAction<M, S[I]> } }
  : CheckedAction<M, P> & {
      readonly together?: readonly (
        | Entities<M>
        | (TogetherDocument & { readonly entity: Entities<M> })
      )[];
      readonly with?: readonly (
        | Entities<M>
        | { readonly entity: Entities<M>; readonly average?: Amount }
      )[];
      readonly scope?: readonly Attributes<M, EntityOf<P>>[];
      readonly skew?: { readonly key: Attributes<M, EntityOf<P>> };
    };

type Comparison = OperatorName | OperatorsDocument;

/** A record in a member of something, of which every name must be one of those allowed. */
type CheckedNames<T, Member extends string, Allowed, Value> = T extends {
  readonly [K in Member]: infer R;
}
  ? { readonly [K in keyof R]: K extends Allowed ? Value : never }
  : { readonly [K in Allowed & string]?: Value };

type CheckedTable<M extends ModelDocument, T> = {
  readonly entities?: T extends { readonly entities: infer P }
    ? {
        readonly [E in keyof P]: E extends Entities<M>
          ? { readonly key: CheckedKey<P[E], Attributes<M, E>> }
          : never;
      }
    : unknown;
  readonly indexes?: T extends { readonly indexes: infer I }
    ? { readonly [N in keyof I]: CheckedIndex<M, T, I[N]> }
    : unknown;
};

type CheckedKey<P, Allowed extends string> = P extends { readonly key: infer K }
  ? { readonly [N in keyof K]: CheckedText<K[N], Allowed> }
  : unknown;

type Placed<M extends ModelDocument, T> = T extends { readonly entities: infer P }
  ? Attributes<M, keyof P>
  : never;

/** Attributes that an index can have in its key: of entities, of the table's key, or set for it. */
type IndexNames<M extends ModelDocument, T, I> =
  | Placed<M, T>
  | (T extends { readonly key: infer K } ? Name<K> : never)
  | (I extends { readonly sets: infer S } ? { [E in keyof S]: Name<S[E]> }[keyof S] : never);

type CheckedIndex<M extends ModelDocument, T, I> = {
  readonly key: {
    readonly partition?: IndexNames<M, T, I> | readonly IndexNames<M, T, I>[];
    readonly sort?: IndexNames<M, T, I> | readonly IndexNames<M, T, I>[];
  };
  readonly projection?: "all" | "keys" | readonly Placed<M, T>[];
  readonly sets?: I extends { readonly sets: infer S }
    ? {
        readonly [E in keyof S]: E extends Entities<M>
          ? { readonly [N in keyof S[E]]: CheckedText<S[E][N], Attributes<M, E>> }
          : never;
      }
    : unknown;
};

/** The attribute that a part of a key text names; nothing for random and timed shards. */
type AttributeIn<Part extends string> = Part extends `shard:${string}:${infer By}`
  ? By extends "minute" | "hour" | "day" | "month" | "year"
    ? never
    : FirstOf<By>
  : Part extends `shard:${string}`
    ? never
    : FirstOf<Part>;

type FirstOf<Text extends string> = Text extends `${infer First}|${string}` ? First : Text;

/** A key text whose attributes are all allowed; otherwise a type that says which one is not. */
type CheckedText<Text, Allowed extends string> = Text extends string
  ? Unknown<Text, Allowed> extends never
    ? Text
    : `{${Unknown<Text, Allowed>}} is no attribute of the entity`
  : never;

type Unknown<
  Text extends string,
  Allowed extends string,
> = Text extends `${string}{${infer Part}}${infer Rest}`
  ? Exclude<AttributeIn<Part>, Allowed> | Unknown<Rest, Allowed>
  : never;

interface ValueOf {
  readonly S: string;
  readonly N: number;
  readonly B: Uint8Array;
  readonly BOOL: boolean;
  readonly NULL: null;
  readonly L: readonly unknown[];
  readonly M: Readonly<Record<string, unknown>>;
  readonly SS: ReadonlySet<string>;
  readonly NS: ReadonlySet<number>;
  readonly BS: ReadonlySet<Uint8Array>;
}

type TypeOf<A> = A extends { readonly values: readonly (infer V)[] }
  ? V
  : A extends { readonly values: infer R; readonly type: "S" }
    ? Name<R>
    : A extends { readonly type: infer T extends AttributeType }
      ? ValueOf[T]
      : never;

type Optional<A> = {
  [N in keyof A]: A[N] extends { readonly present: unknown } ? N : never;
}[keyof A];

type ItemOf<A> = { readonly [N in Exclude<keyof A, Optional<A>>]: TypeOf<A[N]> } & {
  readonly [N in Optional<A>]?: TypeOf<A[N]>;
};

/** What an item of an entity is in TypeScript. */
export type EntityItem<M extends ModelDocument, E extends Entities<M>> = ItemOf<
  M["entities"][E]["attributes"]
>;

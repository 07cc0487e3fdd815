import { cartesianProduct } from "../../base/cartesian-product.ts";
import type { AttributeValue } from "../../item/attribute-value.ts";
import type { Segment } from "../../model/key-text.ts";
import type { Attribute, Entity } from "../../model/requirements.ts";
import type { Binding, Bindings } from "../plans/plan.ts";
import type { EntityValues } from "../values/render-key.ts";
import { type Given, givenApart, listedParameters, operandValues } from "./given.ts";
import type { Found } from "./run.ts";
import { spanValues } from "./span.ts";

/** Values for the attributes of a key, and which result of an earlier request they are from. */
export interface Combination {
  readonly values: EntityValues;
  readonly from: Found | undefined;
  /** Which of several things that a request names it belongs to: the place in the lists of values. */
  readonly at: number | undefined;
}

/** What is needed to find values for bindings. */
export interface Sources {
  readonly given: Given;
  readonly results: readonly (readonly Found[])[];
  /** The item that is written, if one is. */
  readonly item?: EntityValues | undefined;
  /** Which of several things that the pattern names is written. */
  readonly at?: number | undefined;
  /** The row of an earlier request that what is written belongs to. */
  readonly from?: Found | undefined;
  /** What a request brought for the key of what is written. */
  readonly before?: { readonly request: number; readonly row: Found | undefined } | undefined;
}

/**
 * Every combination of values that bindings stand for. Lists of values that something equals are zipped, one by one, as
 * in a batch of keys; the values of `one-of`, of shards and of a span are combined each with each.
 */
export function combinationsOf(
  entity: Entity,
  bindings: Bindings,
  names: ReadonlySet<string>,
  segments: readonly Segment[],
  sources: Sources,
): readonly Combination[] {
  const { given } = sources;
  const isListed = [...names].some((name) => {
    const binding = bindings.get(name);
    return binding !== undefined && listedParameters(given, [binding]).length > 0;
  });
  const listed = isListed ? listedIn(given, bindings) : [];
  const rows = resultRows(bindings, names, sources);
  return givenApart(given, listed).flatMap((own, i) => {
    const at = listed.length === 0 ? undefined : i;
    const lists = [...names].flatMap((name) => {
      const binding = bindings.get(name);
      if (binding === undefined || binding.kind === "result") return [];
      const attribute = entity.attributes.get(name);
      if (attribute === undefined) return [];
      const values = valuesOf(attribute, binding, segments, { ...sources, given: own });
      return [values.map((value) => [name, value] as const)];
    });
    const combinations = cartesianProduct(lists);
    return rows
      .filter(({ from }) => at === undefined || from?.at === undefined || from.at === at)
      .flatMap(({ values: known, from }) =>
        combinations.map((values) => ({
          values: new Map([...known, ...values]),
          from,
          at: at ?? from?.at,
        })),
      );
  });
}

/** The parameters among bindings that have a value for each of several things. */
export function listedIn(given: Given, bindings: Bindings): readonly string[] {
  return listedParameters(given, [...bindings.values()]);
}

/** One row for each result that values are taken from; a single empty one if none are. */
function resultRows(
  bindings: Bindings,
  names: ReadonlySet<string>,
  { results }: Sources,
): readonly Combination[] {
  const taken = [...names].flatMap((name) => {
    const binding = bindings.get(name);
    return binding?.kind === "result" ? [{ name, ...binding }] : [];
  });
  const [first] = taken;
  if (first === undefined) return [{ values: new Map(), from: undefined, at: undefined }];
  return (results[first.request] ?? []).map((from) => ({
    from,
    at: from.at,
    values: new Map(
      taken.flatMap(({ name, attribute, request }): [string, AttributeValue][] => {
        const found =
          request === first.request ? from : resultFor({ results, at: from.at, from }, request);
        const value = found?.values.get(attribute);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  }));
}

function valuesOf(
  attribute: Attribute,
  binding: Exclude<Binding, { kind: "result" }>,
  segments: readonly Segment[],
  { given, item }: Sources,
): readonly AttributeValue[] {
  switch (binding.kind) {
    case "parameter":
    case "constant":
      return operandValues(given, attribute, binding);
    case "each":
      return binding.operands.flatMap((one) => operandValues(given, attribute, one));
    case "item": {
      const value = item?.get(binding.attribute);
      return value === undefined ? [] : [value];
    }
    case "span": {
      const segment = segments.find(
        (one) => one.kind === "attribute" && one.attribute === attribute.name,
      );
      const transforms = segment?.kind === "attribute" ? segment.transforms : [];
      return spanValues(attribute, binding.predicate, transforms, given);
    }
  }
}

/** The one value of a binding, for what is written. */
export function boundValue(
  attribute: Attribute,
  binding: Binding,
  sources: Sources,
): AttributeValue | undefined {
  if (binding.kind !== "result") return valuesOf(attribute, binding, [], sources)[0];
  return resultFor(sources, binding.request)?.values.get(binding.attribute);
}

/** What a request brought for what is written, or for the same thing that another one told of. */
export function resultFor(
  { results, at, before, from }: Omit<Sources, "given">,
  request: number,
): Found | undefined {
  if (before?.request === request) return before.row;
  const all = results[request] ?? [];
  const list = at === undefined ? all : all.filter((one) => one.at === undefined || one.at === at);
  if (from === undefined || list.includes(from)) return from ?? list[0];
  const place = results.find((one) => one.includes(from))?.indexOf(from);
  return list.find(({ combination }) => combination === place) ?? list[0];
}

import { textSize } from "../../item/size.ts";
import type { KeyText } from "../../model/key-text.ts";
import type { Attribute } from "../../model/requirements.ts";
import { attributeBytes } from "./attribute-size.ts";
import { ByteDistribution } from "./distribution.ts";
import { type Attributes, keySize } from "./key-size.ts";

/** Something that lies in an item under a name. */
export type StoredPart =
  | { readonly kind: "attribute"; readonly name: string; readonly attribute: string }
  | { readonly kind: "key"; readonly name: string; readonly text: KeyText }
  /** A discriminator, a list of embedded entities: independent of the attributes. */
  | { readonly kind: "other"; readonly name: string; readonly bytes: ByteDistribution };

/**
 * The bytes of an item, names included. An attribute that is also in keys has one size in all of
 * them, and a key is missing where an attribute in it is. What is known of the attributes (that one
 * is there, which values it can have) is said by handing in attributes that say so.
 */
export function itemBytes(
  attributes: Attributes,
  parts: readonly StoredPart[],
): ByteDistribution | undefined {
  const sizes: ByteDistribution[] = [];
  /** For each attribute: what comes and goes with it. */
  const groups = new Map<string, { times: number; own: ByteDistribution[] }>();
  const groupOf = (name: string): { times: number; own: ByteDistribution[] } => {
    const group = groups.get(name) ?? { times: 0, own: [] };
    groups.set(name, group);
    return group;
  };
  for (const part of parts) {
    const name = ByteDistribution.fixed(textSize(part.name));
    if (part.kind === "other") sizes.push(name, part.bytes);
    else if (part.kind === "attribute") {
      const group = groupOf(part.attribute);
      group.times += 1;
      group.own.push(name);
    } else {
      const size = keySize(attributes, part.text);
      if (size === undefined) return undefined;
      const optional = optionalIn(attributes, part.text);
      const [first] = optional;
      if (optional.length > 1) {
        // It needs several that come and go independently: its texts are taken as its own.
        const whole = withRepeats(attributes, [name, size.own], size.repeats);
        if (whole === undefined) return undefined;
        const share = optional.reduce((product, one) => product * one.present.value, 1);
        sizes.push(whole.present(share));
        continue;
      }
      const owner = first?.name ?? [...size.repeats.keys()][0];
      if (owner === undefined) {
        sizes.push(name, size.own);
        continue;
      }
      groupOf(owner).own.push(name, size.own);
      for (const [attribute, times] of size.repeats) {
        if (first === undefined || attribute === owner) groupOf(attribute).times += times;
        else {
          // It is in the key only where the owner is there.
          const there = withRepeats(attributes, [], new Map([[attribute, times]]));
          if (there === undefined) return undefined;
          groupOf(owner).own.push(there);
        }
      }
    }
  }
  for (const [name, { times, own }] of groups) {
    const whole = withRepeats(attributes, own, new Map([[name, times]]));
    if (whole === undefined) return undefined;
    sizes.push(whole.present((attributes.get(name) as Attribute).present.value));
  }
  return ByteDistribution.sum(sizes);
}

function optionalIn(attributes: Attributes, text: KeyText): readonly Attribute[] {
  const names = new Set<string>();
  for (const segment of text.segments) {
    if (segment.kind === "attribute") names.add(segment.attribute);
    else if (segment.kind === "shard" && segment.by.kind === "calculated") {
      names.add(segment.by.attribute);
    }
  }
  return [...names].flatMap((name) => {
    const attribute = attributes.get(name);
    return attribute !== undefined && attribute.present.value < 1 ? [attribute] : [];
  });
}

function withRepeats(
  attributes: Attributes,
  own: readonly ByteDistribution[],
  repeats: ReadonlyMap<string, number>,
): ByteDistribution | undefined {
  const parts = [...own];
  for (const [name, times] of repeats) {
    const attribute = attributes.get(name);
    const bytes = times === 0 ? ByteDistribution.fixed(0) : attribute && attributeBytes(attribute);
    if (bytes === undefined) return undefined;
    parts.push(bytes.scaled(times));
  }
  return ByteDistribution.sum(parts);
}

import type { Shape } from "../../src/api/shape.ts";

/**
 * The input members of the AWS SDK's operations. The SDK describes what it sends in arrays: the kind of a
 * shape, its name space, its name, its traits, and then what it is made of. A simple type is a number, and
 * what may refer to itself is a function that answers the shape.
 */

const kinds = { list: 1, map: 2, structure: 3, union: 4, operation: 9 };
/** Added to the number of a simple type. */
const listOf = 64;
const mapOf = 128;

type Description = readonly unknown[];

function resolve(reference: unknown): unknown {
  if (typeof reference === "function") return resolve((reference as () => unknown)());
  // A member with traits of its own: the shape, then the traits.
  if (Array.isArray(reference) && reference.length === 2) return resolve(reference[0]);
  return reference;
}

/** Whether the SDK's and our description are of the same make: structures, lists, maps, or something else. */
function makeOf(described: unknown): "structure" | "list" | "map" | "simple" {
  if (typeof described === "number") {
    if ((described & mapOf) !== 0) return "map";
    return (described & listOf) !== 0 ? "list" : "simple";
  }
  const [kind] = described as Description;
  if (kind === kinds.structure) return "structure";
  if (kind === kinds.list) return "list";
  return kind === kinds.map ? "map" : "simple";
}

function makeOfShape({ kind }: Shape): ReturnType<typeof makeOf> {
  if (kind === "struct") return "structure";
  return kind === "list" || kind === "map" ? kind : "simple";
}

/** The names of a client's operations, in order. */
export function operationsOf(client: object): string[] {
  return Object.keys(client)
    .filter((name) => name.endsWith("Command") && !name.startsWith("$"))
    .map((name) => name.slice(0, -"Command".length))
    .toSorted();
}

/** The SDK's description of what an operation is sent. */
export function inputOf(client: object, operation: string): unknown {
  const description = (client as Record<string, unknown>)[`${operation}$`];
  return resolve((description as Description)[4]);
}

/**
 * The members that the SDK may send and of which the shape knows nothing, as paths without indices and
 * keys: `VectorIndexes.Projection`. Of what is unknown as a whole only the first name is told.
 */
export function unknownMembers(described: unknown, shape: Shape, path = ""): string[] {
  const make = makeOf(described);
  if (make !== makeOfShape(shape)) return [`${path} is not a ${make}`];
  if (make === "structure" && shape.kind === "struct") {
    const [, , , , names, members] = described as Description;
    return (names as string[]).flatMap((name, place) => {
      const at = path === "" ? name : `${path}.${name}`;
      const member = shape.members.get(name);
      if (member === undefined) return [at];
      return unknownMembers(resolve((members as unknown[])[place]), member, at);
    });
  }
  if ((make === "list" || make === "map") && "element" in shape && typeof described !== "number") {
    const element = (described as Description).at(make === "list" ? 4 : 5);
    return unknownMembers(resolve(element), shape.element, path);
  }
  return [];
}

/** The names of all members of a shape, at whatever depth. */
export function memberNames(shape: Shape): string[] {
  if (shape.kind === "list" || shape.kind === "map") return memberNames(shape.element);
  if (shape.kind !== "struct") return [];
  return [...shape.members].flatMap(([name, member]) => [name, ...memberNames(member)]);
}

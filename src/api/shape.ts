/**
 * A small language for the shapes of requests. A shape says which JSON types a member may have (read
 * by `checkTypes`) and which constraints its value must satisfy (read by `checkConstraints`). The
 * members of a structure are declared in the order in which the service reports their failures.
 */
export type Shape =
  | StringShape
  | NumberShape
  | BooleanShape
  | BlobShape
  | TimestampShape
  | AttributeValueShape
  | ListShape
  | MapShape
  | StructShape<unknown>;

export interface StringShape {
  readonly kind: "string";
  readonly required: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly pattern: Pattern | undefined;
  /** In the order in which the service prints the set. */
  readonly values: readonly string[] | undefined;
  /** The length allowed for an ARN given in place of the name; undefined: an ARN is not taken. */
  readonly arnMax: number | undefined;
}

export interface Pattern {
  /** As the service prints it. */
  readonly text: string;
  readonly whole: RegExp;
}

export interface NumberShape {
  readonly kind: "integer" | "long" | "double";
  readonly required: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export interface BooleanShape {
  readonly kind: "boolean";
  readonly required: boolean;
}

export interface BlobShape {
  readonly kind: "blob";
  readonly required: boolean;
}

/** Seconds since the epoch, with a fraction. */
export interface TimestampShape {
  readonly kind: "timestamp";
  readonly required: boolean;
}

export interface AttributeValueShape {
  readonly kind: "attributeValue";
  readonly required: boolean;
}

export interface ListShape {
  readonly kind: "list";
  readonly required: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly element: Shape;
  /** Whether anything at or below this shape is constrained. */
  readonly constrained: boolean;
}

export interface MapShape {
  readonly kind: "map";
  readonly required: boolean;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly key: StringShape | undefined;
  readonly element: Shape;
  readonly constrained: boolean;
}

export interface StructShape<T> {
  readonly kind: "struct";
  readonly required: boolean;
  /** The service's class name, which some error texts show. */
  readonly className: string;
  readonly members: ReadonlyMap<string, Shape>;
  /** The same members as arrays, which are faster to walk. */
  readonly names: readonly string[];
  readonly shapes: readonly Shape[];
  /** The order in which an echo prints the members, where it differs from the declared one. */
  readonly echo: readonly string[];
  /** Names the request type at compile time; never set. */
  readonly request?: T;
}

interface Required {
  readonly required?: boolean;
}

interface Bounds extends Required {
  readonly min?: number;
  readonly max?: number;
}

interface StringOptions extends Bounds {
  readonly pattern?: string;
  readonly values?: readonly string[];
  readonly arnMax?: number;
}

export function string(options: StringOptions = {}): StringShape {
  const { pattern } = options;
  return {
    kind: "string",
    required: options.required ?? false,
    min: options.min,
    max: options.max,
    pattern:
      pattern === undefined ? undefined : { text: pattern, whole: new RegExp(`^(?:${pattern})$`) },
    values: options.values,
    arnMax: options.arnMax,
  };
}

/** A string out of a fixed set, given in the order in which the service prints the set. */
export function oneOf(values: readonly string[], options: Required = {}): StringShape {
  return string({ ...options, values });
}

function number(kind: NumberShape["kind"], options: Bounds): NumberShape {
  return {
    kind,
    required: options.required ?? false,
    min: options.min,
    max: options.max,
  };
}

export function integer(options: Bounds = {}): NumberShape {
  return number("integer", options);
}

export function long(options: Bounds = {}): NumberShape {
  return number("long", options);
}

export function double(options: Bounds = {}): NumberShape {
  return number("double", options);
}

export function boolean(options: Required = {}): BooleanShape {
  return { kind: "boolean", required: options.required ?? false };
}

export function blob(options: Required = {}): BlobShape {
  return { kind: "blob", required: options.required ?? false };
}

export function timestamp(options: Required = {}): TimestampShape {
  return { kind: "timestamp", required: options.required ?? false };
}

export function attributeValue(options: Required = {}): AttributeValueShape {
  return { kind: "attributeValue", required: options.required ?? false };
}

export function list(element: Shape, options: Bounds = {}): ListShape {
  return {
    kind: "list",
    required: options.required ?? false,
    min: options.min,
    max: options.max,
    element,
    constrained: isBounded(options) || mayFail(element),
  };
}

function isBounded(options: Bounds): boolean {
  return options.min !== undefined || options.max !== undefined;
}

/** Attribute values have their own checks; anything else must at least not be null. */
function mayFail(element: Shape): boolean {
  if (element.kind === "attributeValue") return false;
  return element.kind !== "map" || element.constrained;
}

interface MapOptions extends Bounds {
  readonly key?: StringShape;
}

export function map(element: Shape, options: MapOptions = {}): MapShape {
  return {
    kind: "map",
    required: options.required ?? false,
    min: options.min,
    max: options.max,
    key: options.key,
    element,
    constrained: isBounded(options) || options.key !== undefined || mayFail(element),
  };
}

interface StructOptions extends Required {
  readonly echo?: readonly string[];
}

/** A structure; the compiler sees to it that every member of `T` has a shape. */
export function struct<T>(
  className: string,
  members: { readonly [Name in keyof T]-?: Shape },
  options: StructOptions = {},
): StructShape<T> {
  const entries = Object.entries<Shape>(members);
  return {
    kind: "struct",
    required: options.required ?? false,
    className,
    members: new Map(entries),
    names: entries.map(([name]) => name),
    shapes: entries.map(([, shape]) => shape),
    echo: options.echo ?? entries.map(([name]) => name),
  };
}

/** The same structure where it must be present. */
export function required<T>(shape: StructShape<T>): StructShape<T> {
  return { ...shape, required: true };
}

const classPrefix = "com.amazonaws.dynamodb.v20120810.";

/** The service's name for the type of a shape, as its type errors print it. */
export function javaType(shape: Shape): string {
  switch (shape.kind) {
    case "string":
      return "java.lang.String";
    case "integer":
      return "java.lang.Integer";
    case "long":
      return "java.lang.Long";
    case "double":
      return "java.lang.Double";
    case "boolean":
      return "java.lang.Boolean";
    case "blob":
      return "java.nio.ByteBuffer";
    case "timestamp":
      return "java.util.Date";
    case "attributeValue":
      return `${classPrefix}AttributeValue`;
    case "struct":
      return classPrefix + shape.className;
    case "list":
      return `java.util.List<${javaType(shape.element)}>`;
    case "map":
      return `java.util.Map<java.lang.String, ${javaType(shape.element)}>`;
  }
}

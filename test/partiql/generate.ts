import type { AttributeValue, Item } from "../../src/item/attribute-value.ts";
import type { Random } from "../random.ts";

/**
 * Random statements, each beside the native request that does the same. Both are written here from one
 * description; nothing of the compiler under test is used.
 */
export interface Twin {
  readonly statement: string;
  readonly parameters: readonly AttributeValue[];
  /** Of ExecuteStatement. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly operation: "GetItem" | "Query" | "Scan" | "PutItem" | "UpdateItem" | "DeleteItem";
  readonly input: Readonly<Record<string, unknown>>;
}

const S = (text: string): AttributeValue => ({ S: text });
const N = (number: number): AttributeValue => ({ N: String(number) });

/** A text for PartiQL and one for expressions, side by side. */
interface Pair {
  readonly partiql: string;
  readonly native: string;
}

/** Writes one twin: values become literals or parameters here, placeholders there. */
class Writer {
  readonly #random: Random;
  readonly parameters: AttributeValue[] = [];
  readonly values: Record<string, AttributeValue> = {};

  constructor(random: Random) {
    this.#random = random;
  }

  value(value: AttributeValue): Pair {
    const native = `:v${Object.keys(this.values).length}`;
    this.values[native] = value;
    return { partiql: this.given(value), native };
  }

  /** A value that the request has in a parameter of its own: a key, an item. */
  given(value: AttributeValue): string {
    const text = this.#random.chance(0.6) ? literal(value) : undefined;
    if (text !== undefined) return text;
    this.parameters.push(value);
    return "?";
  }

  maps(): Record<string, unknown> {
    return Object.keys(this.values).length > 0 ? { ExpressionAttributeValues: this.values } : {};
  }
}

/** Undefined: only a parameter can be it. */
function literal(value: AttributeValue): string | undefined {
  if ("S" in value) return `'${value.S.replaceAll("'", "''")}'`;
  if ("N" in value) return value.N;
  if ("BOOL" in value) return value.BOOL ? "TRUE" : "false";
  if ("NULL" in value) return "null";
  if ("SS" in value) return `<<${value.SS.map((text) => `'${text}'`).join(", ")}>>`;
  if ("NS" in value) return `<<${value.NS.join(",")}>>`;
  if ("L" in value) return `[${value.L.map(literal).join(", ")}]`;
  if ("M" in value) {
    return `{${Object.entries(value.M)
      .map(([name, one]) => `'${name}': ${literal(one)}`)
      .join(", ")}}`;
  }
  return undefined;
}

const names = ["a", "b", "mark", "m.x", "l[0]", "tags"];

export class Generator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Twin {
    return this.#random.choose<Twin>([
      [4, () => this.#insert()],
      [3, () => this.#update()],
      [2, () => this.#delete()],
      [1, () => this.#get()],
      [3, () => this.#query()],
      [1, () => this.#scan()],
    ]);
  }

  #key(): { pk: AttributeValue; sk: AttributeValue } {
    return { pk: S(`p${this.#random.between(0, 2)}`), sk: N(this.#random.between(-3, 6)) };
  }

  #scalar(): AttributeValue {
    return this.#random.choose<AttributeValue>([
      [3, () => N(this.#random.between(-2, 4))],
      [3, () => S(this.#random.pick(["", "x", "xy", "y'z", "été"]))],
      [1, () => ({ BOOL: this.#random.chance(0.5) })],
      [1, () => ({ NULL: true })],
      [1, () => ({ B: Buffer.from([this.#random.between(0, 3)]).toString("base64") })],
    ]);
  }

  #value(): AttributeValue {
    return this.#random.choose<AttributeValue>([
      [6, () => this.#scalar()],
      [1, () => ({ L: [N(1), S("x"), { L: [] }] })],
      [1, () => ({ M: { x: N(this.#random.between(0, 2)), y: S("q") } })],
      [1, () => ({ SS: this.#random.pick([["x"], ["x", "y"]]) })],
      [1, () => ({ NS: ["1", "2.5"] })],
    ]);
  }

  #item(): Item {
    const item: Record<string, AttributeValue> = { ...this.#key() };
    for (const name of ["a", "b", "l", "m", "tags"]) {
      if (this.#random.chance(0.6)) item[name] = this.#value();
    }
    if (this.#random.chance(0.5)) item.mark = S(this.#random.pick(["k1", "k2"]));
    if (this.#random.chance(0.5)) item.score = N(this.#random.between(0, 5));
    if (this.#random.chance(0.1)) item.big = S("z".repeat(this.#random.between(900, 5_000)));
    return item;
  }

  #insert(): Twin {
    const writer = new Writer(this.#random);
    const item = this.#item();
    const members = Object.entries(item).map(([name, value]) => {
      return `'${name}': ${writer.given(value)}`;
    });
    return {
      statement: `INSERT INTO "Things" VALUE {${members.join(", ")}}`,
      parameters: writer.parameters,
      options: {},
      operation: "PutItem",
      input: { TableName: "Things", Item: item, ConditionExpression: "attribute_not_exists(pk)" },
    };
  }

  #update(): Twin {
    const writer = new Writer(this.#random);
    const wanted = new Set<string>();
    const set: Pair[] = [];
    const add: string[] = [];
    const removed: string[] = [];
    const clauses: string[] = [];
    for (let i = this.#random.between(1, 3); i > 0; i -= 1) {
      const target = this.#random.pick(["a", "b", "mark", "l", "m", "tags", "score"]);
      if (wanted.has(target)) continue;
      wanted.add(target);
      if (this.#random.chance(0.25)) {
        removed.push(target);
        clauses.push(`REMOVE ${target}`);
      } else if (target === "tags" && this.#random.chance(0.5)) {
        const members = writer.value({ SS: ["x", "z"] });
        add.push(`tags ${members.native}`);
        clauses.push(`SET tags = set_add(tags, ${members.partiql})`);
      } else {
        const right = this.#assigned(writer, target);
        set.push({ partiql: "", native: `${target} = ${right.native}` });
        clauses.push(`SET ${target} = ${right.partiql}`);
      }
    }
    const key = this.#key();
    const where = this.#where(writer, key);
    const condition = this.#random.chance(0.4) ? this.condition(writer, 1) : undefined;
    const returning = this.#random.pick(["", "ALL OLD", "ALL NEW", "MODIFIED OLD", "MODIFIED NEW"]);
    const sections = [
      ...(set.length > 0 ? [`SET ${set.map(({ native }) => native).join(", ")}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.join(", ")}`] : []),
      ...(add.length > 0 ? [`ADD ${add.join(", ")}`] : []),
    ];
    return {
      statement: `UPDATE Things ${clauses.join(" ")} WHERE ${where}${
        condition === undefined ? "" : ` AND (${condition.partiql})`
      }${returning === "" ? "" : ` RETURNING ${returning} *`}`,
      parameters: writer.parameters,
      options: {},
      operation: "UpdateItem",
      input: {
        TableName: "Things",
        Key: key,
        UpdateExpression: sections.join(" "),
        ConditionExpression: `attribute_exists(pk)${and(condition)}`,
        ...(returning !== "" && {
          ReturnValues: returning.replace("MODIFIED", "UPDATED").replace(" ", "_"),
        }),
        ...writer.maps(),
      },
    };
  }

  #assigned(writer: Writer, target: string): Pair {
    if (target === "mark") return writer.value(S(this.#random.pick(["k1", "k2"])));
    if (target === "score") return writer.value(N(this.#random.between(0, 5)));
    if (target === "a" && this.#random.chance(0.5)) {
      const by = writer.value(N(1));
      return { partiql: `a + ${by.partiql}`, native: `a + ${by.native}` };
    }
    if (target === "b" && this.#random.chance(0.5)) {
      const other = writer.value(N(7));
      return {
        partiql: `if_not_exists(b, ${other.partiql})`,
        native: `if_not_exists(b, ${other.native})`,
      };
    }
    if (target === "l" && this.#random.chance(0.5)) {
      const more = writer.value({ L: [N(9)] });
      return {
        partiql: `LIST_APPEND(l, ${more.partiql})`,
        native: `list_append(l, ${more.native})`,
      };
    }
    return writer.value(this.#value());
  }

  #delete(): Twin {
    const writer = new Writer(this.#random);
    const key = this.#key();
    const where = this.#where(writer, key);
    const condition = this.#random.chance(0.5) ? this.condition(writer, 1) : undefined;
    const returns = this.#random.chance(0.5);
    return {
      statement: `DELETE FROM "Things" WHERE ${where}${
        condition === undefined ? "" : ` AND (${condition.partiql})`
      }${returns ? " RETURNING ALL OLD *" : ""}`,
      parameters: writer.parameters,
      options: {},
      operation: "DeleteItem",
      input: {
        TableName: "Things",
        Key: key,
        ...(condition !== undefined && {
          ConditionExpression: `attribute_not_exists(pk) OR ${condition.native}`,
        }),
        ...(returns && { ReturnValues: "ALL_OLD" }),
        ...writer.maps(),
      },
    };
  }

  #get(): Twin {
    const writer = new Writer(this.#random);
    const key = this.#key();
    const ConsistentRead = this.#random.chance(0.5);
    return {
      statement: `SELECT * FROM Things WHERE ${this.#where(writer, key)}`,
      parameters: writer.parameters,
      options: { ConsistentRead },
      operation: "GetItem",
      input: { TableName: "Things", Key: key, ConsistentRead },
    };
  }

  #query(): Twin {
    const writer = new Writer(this.#random);
    const [index, hash, range] = this.#random.pick([
      [undefined, "pk", "sk"],
      ["byMark", "mark", "score"],
      ["byScore", "pk", "score"],
    ] as const);
    const partition = writer.value(
      hash === "pk" ? this.#key().pk : S(this.#random.pick(["k1", "k2"])),
    );
    const sort = this.#random.chance(0.6) ? this.#sortCondition(writer, range) : undefined;
    const filter = this.#random.chance(0.5)
      ? this.condition(writer, 2, range === "score" ? ["a"] : names)
      : undefined;
    const order = this.#random.pick(["", " ASC", " DESC"]);
    const Limit = this.#random.chance(0.4) ? this.#random.between(1, 4) : undefined;
    const ConsistentRead = index !== "byMark" && this.#random.chance(0.3);
    const projected = this.#random.chance(0.3);
    const parts = [`${hash} = ${partition.partiql}`];
    const keys = [`${hash} = ${partition.native}`];
    if (sort !== undefined) {
      parts.push(sort.partiql);
      keys.push(sort.native);
    }
    if (filter !== undefined) parts.push(`(${filter.partiql})`);
    const table = index === undefined ? '"Things"' : `"Things"."${index}"`;
    return {
      statement: `SELECT ${projected ? "a, sk" : "*"} FROM ${table} WHERE ${parts.join(" AND ")}${
        order === "" ? "" : ` ORDER BY ${range}${order}`
      }`,
      parameters: writer.parameters,
      options: { Limit, ConsistentRead },
      operation: "Query",
      input: {
        TableName: "Things",
        ...(index !== undefined && { IndexName: index }),
        KeyConditionExpression: keys.join(" AND "),
        ...(filter !== undefined && { FilterExpression: filter.native }),
        ...(projected && { ProjectionExpression: "a, sk" }),
        ...(order === " DESC" && { ScanIndexForward: false }),
        Limit,
        ConsistentRead,
        ...writer.maps(),
      },
    };
  }

  #sortCondition(writer: Writer, name: string): Pair {
    const value = () => writer.value(N(this.#random.between(-2, 5)));
    const op = this.#random.pick(["<", "<=", ">", ">=", "="] as const);
    if (op !== "=" && this.#random.chance(0.3)) {
      const [low, high] = [writer.value(N(0)), writer.value(N(3))];
      return {
        partiql: `${name} BETWEEN ${low.partiql} AND ${high.partiql}`,
        native: `${name} BETWEEN ${low.native} AND ${high.native}`,
      };
    }
    // With the whole key of the table a SELECT gets the item, which cannot be limited.
    const one = value();
    const used = op === "=" && name === "sk" ? "<" : op;
    return { partiql: `${name} ${used} ${one.partiql}`, native: `${name} ${used} ${one.native}` };
  }

  #scan(): Twin {
    const writer = new Writer(this.#random);
    const filter = this.#random.chance(0.7) ? this.condition(writer, 2) : undefined;
    const Limit = this.#random.chance(0.4) ? this.#random.between(1, 5) : undefined;
    return {
      statement: `SELECT * FROM "Things"${filter === undefined ? "" : ` WHERE ${filter.partiql}`}`,
      parameters: writer.parameters,
      options: { Limit },
      operation: "Scan",
      input: {
        TableName: "Things",
        Limit,
        ...(filter !== undefined && { FilterExpression: filter.native }),
        ...writer.maps(),
      },
    };
  }

  #where(writer: Writer, key: { pk: AttributeValue; sk: AttributeValue }): string {
    const [pk, sk] = [writer.given(key.pk), writer.given(key.sk)];
    return this.#random.chance(0.5) ? `pk = ${pk} AND sk = ${sk}` : `pk = ${pk} AND ${sk} = sk`;
  }

  /** A condition that means the same in both languages. */
  condition(writer: Writer, depth: number, paths: readonly string[] = names): Pair {
    if (depth > 0 && this.#random.chance(0.4)) {
      const left = this.condition(writer, depth - 1, paths);
      const right = this.condition(writer, depth - 1, paths);
      const op = this.#random.pick(["AND", "OR"]);
      return {
        partiql: `(${left.partiql} ${op} ${right.partiql})`,
        native: `(${left.native} ${op} ${right.native})`,
      };
    }
    if (this.#random.chance(0.15)) {
      const inner = this.#leaf(writer, paths);
      return { partiql: `NOT ${inner.partiql}`, native: `NOT ${inner.native}` };
    }
    return this.#leaf(writer, paths);
  }

  #leaf(writer: Writer, paths: readonly string[]): Pair {
    const path = this.#random.pick(paths);
    const both = (write: (value: (pair: Pair) => string) => string): Pair => ({
      partiql: write(({ partiql }) => partiql),
      native: write(({ native }) => native),
    });
    return this.#random.choose<Pair>([
      [
        4,
        () => {
          const one = writer.value(this.#value());
          const op = this.#random.pick(["=", "<>"]);
          return both((text) => `${path} ${op} ${text(one)}`);
        },
      ],
      [
        3,
        () => {
          const one = writer.value(this.#random.pick([N(1), S("x")]));
          const op = this.#random.pick(["<", "<=", ">", ">="]);
          return both((text) => `${path} ${op} ${text(one)}`);
        },
      ],
      [
        1,
        () => {
          const [low, high] = [writer.value(N(0)), writer.value(N(2))];
          return both((text) => `${path} BETWEEN ${text(low)} AND ${text(high)}`);
        },
      ],
      [
        1,
        () => {
          const [one, two] = [writer.value(this.#scalar()), writer.value(N(2))];
          return {
            partiql: `${path} IN [${one.partiql}, ${two.partiql}]`,
            native: `${path} IN (${one.native}, ${two.native})`,
          };
        },
      ],
      [
        1,
        () => {
          const one = writer.value(S("x"));
          const name = this.#random.pick(["begins_with", "contains"]);
          return both((text) => `${name}(${path}, ${text(one)})`);
        },
      ],
      [
        1,
        () => {
          const one = writer.value(N(1));
          return both((text) => `size(${path}) > ${text(one)}`);
        },
      ],
      [1, () => ({ partiql: `${path} IS MISSING`, native: `attribute_not_exists(${path})` })],
      [1, () => ({ partiql: `${path} IS NOT MISSING`, native: `attribute_exists(${path})` })],
      [
        1,
        () => {
          const native = ":null";
          writer.values[native] = S("NULL");
          return { partiql: `${path} IS NULL`, native: `attribute_type(${path}, ${native})` };
        },
      ],
    ]);
  }
}

function and(condition: Pair | undefined): string {
  return condition === undefined ? "" : ` AND ${condition.native}`;
}

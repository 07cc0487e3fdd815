import { expect, test } from "vitest";
import { explainFailure, parseAddress } from "./address.ts";
import { StoreConnectionError } from "./errors.ts";

const secret = "s3cr3t";

test("a URL in full", () => {
  const address = parseAddress(
    `postgres://kim:${secret}@db.example:6000/shop?sslmode=disable&schema=stock&connections=24`,
  );
  expect(address).toEqual({
    connectionString: `postgres://kim:${secret}@db.example:6000/shop?sslmode=disable`,
    schema: "stock",
    connectionsMax: 24,
    server: "db.example:6000",
    user: "kim",
    database: "shop",
  });
});

test("what is left out", () => {
  const address = parseAddress("postgresql://kim@db/");
  expect(address.server).toBe("db:5432");
  expect(address.database).toBe("kim");
  expect(address.schema).toBeUndefined();
  expect(address.connectionsMax).toBeUndefined();
  const socket = parseAddress("postgres:///x?host=/run/pg&user=lee");
  expect([socket.server, socket.user, socket.database]).toEqual(["/run/pg:5432", "lee", "x"]);
});

test.each([
  ["another scheme", `mysql://kim:${secret}@db/x`, /named by a URL such as/],
  ["no URL", `postgres://kim:${secret}@[db/x`, /named by a URL such as/],
  ["an empty schema", `postgres://kim:${secret}@db/x?schema=`, /1 to 63 bytes/],
  ["too long a schema", `postgres://kim:${secret}@db/x?schema=${"x".repeat(64)}`, /1 to 63 bytes/],
  ["one connection", `postgres://kim:${secret}@db/x?connections=1`, /from 2 to 9999/],
  ["connections in words", `postgres://kim:${secret}@db/x?connections=many`, /from 2 to 9999/],
])("%s is refused without repeating the password", (_name, url, sentence) => {
  const complaint = (() => {
    try {
      parseAddress(url);
    } catch (error) {
      return error;
    }
    return undefined;
  })();
  expect(complaint).toBeInstanceOf(StoreConnectionError);
  expect(String(complaint)).toMatch(sentence);
  expect(String(complaint)).not.toContain(secret);
});

test.each([
  ["ECONNREFUSED", "PostgreSQL at db:5432 cannot be reached: nothing listens there."],
  ["ENOTFOUND", "PostgreSQL at db:5432 cannot be reached: the name is not known."],
  ["ETIMEDOUT", "PostgreSQL at db:5432 cannot be reached: it does not answer."],
  ["ECONNRESET", "PostgreSQL at db:5432 closed the connection."],
  ["EPIPE", "PostgreSQL at db:5432 closed the connection."],
  ["57P01", "PostgreSQL at db:5432 closed the connection (what it said)."],
  ["28P01", "PostgreSQL at db:5432 does not accept the password of user kim."],
  ["28000", "PostgreSQL at db:5432 does not let user kim in (what it said)."],
  ["3D000", "PostgreSQL at db:5432 has no database shop."],
  ["42501", "User kim may not make Keywright's tables in database shop (what it said)."],
  ["53300", "PostgreSQL at db:5432 has no connection left."],
  ["57P03", "PostgreSQL at db:5432 is not ready yet (what it said)."],
])("%s in a sentence", (code, sentence) => {
  const error = Object.assign(new Error("what it said"), { code });
  const explained = explainFailure(error, parseAddress(`postgres://kim:${secret}@db/shop`));
  expect(explained).toBeInstanceOf(StoreConnectionError);
  expect((explained as Error).message).toBe(sentence);
});

test.each([
  ["Connection terminated unexpectedly", "closed the connection."],
  ["Client has encountered a connection error and is not queryable", "closed the connection."],
  ["Connection terminated due to connection timeout", "cannot be reached: it does not answer."],
  ["timeout expired", "cannot be reached: it does not answer."],
  ["Query read timeout", "cannot be reached: it does not answer."],
])("the client's message '%s' in a sentence", (message, sentence) => {
  const explained = explainFailure(new Error(message), parseAddress("postgres://kim@db/shop"));
  expect(explained).toBeInstanceOf(StoreConnectionError);
  expect((explained as Error).message).toBe(`PostgreSQL at db:5432 ${sentence}`);
});

test("other failures stay what they are", () => {
  const error = new Error("a defect");
  expect(explainFailure(error, parseAddress("postgres://db/shop"))).toBe(error);
});

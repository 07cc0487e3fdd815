import { crc32, deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyBytesMax, decodedBodyBytesMax } from "../../src/server/limits.ts";
import { amzJson, call, type Door, openDoor, type Reply, send, signed } from "./wire-support.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.http.close());

const unknownOperation = '{"__type":"com.amazon.coral.service#UnknownOperationException"}';
const serialization = '{"__type":"com.amazon.coral.service#SerializationException"}';
const listTables = { "x-amz-target": "DynamoDB_20120810.ListTables" };

function expectCommon(reply: Reply): void {
  expect(reply.headers["x-amzn-requestid"]).toMatch(/^[0-9A-Z]{52}$/);
  expect(reply.headers["x-amz-crc32"]).toBe(String(crc32(reply.bytes)));
  expect(reply.headers["content-length"]).toBe(String(reply.bytes.length));
  expect(reply.headers.server).toBe("Server");
  expect(reply.headers.date).toMatch(/GMT$/);
}

describe("an answer", () => {
  test("carries the service's headers and the operation's JSON", async () => {
    const reply = await send(door.port, { headers: call("GetItem"), body: '{"a":"é"}' });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe('{"operation":"GetItem","body":{"a":"é"}}');
    expect(reply.headers["content-type"]).toBe("application/x-amz-json-1.0");
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
    expectCommon(reply);
  });

  test("has an id of its own", async () => {
    const ids = new Set<unknown>();
    for (let i = 0; i < 300; i += 1) {
      ids.add((await send(door.port, { method: "GET" })).headers["x-amzn-requestid"]);
    }
    expect(ids.size).toBe(300);
  });

  test("may have no body", async () => {
    const reply = await send(door.port, { headers: call("TagResource"), body: "{}" });
    expect([reply.status, reply.text, reply.headers["x-amz-crc32"]]).toEqual([200, "", "0"]);
    expectCommon(reply);
  });

  test("of the streams API goes the same way", async () => {
    const headers = { ...call(""), "x-amz-target": "DynamoDBStreams_20120810.ListStreams" };
    const reply = await send(door.port, { headers, body: "{}" });
    expect(reply.text).toBe('{"operation":"ListStreams","body":{}}');
  });

  test.each([
    ["application/json", "application/json"],
    ["  Application/JSON  ;   charset=utf-8", "application/json"],
    ["application/x-amz-json-1.0;x", "application/x-amz-json-1.0"],
  ])("to '%s' is %s", async (asked, given) => {
    const headers = { ...call("GetItem"), "content-type": asked };
    const reply = await send(door.port, { headers, body: "{}" });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, given]);
  });

  test("that comes later is sent later", async () => {
    const reply = await send(door.port, { headers: call("Scan"), body: '{"wait":20}' });
    expect(reply.text).toBe('{"late":true}');
  });
});

describe("errors", () => {
  test("of the service keep their status and body", async () => {
    const reply = await send(door.port, { headers: call("GetItem"), body: '{"refuse":true}' });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text)).toEqual({
      __type: "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
      message: "no such thing",
    });
    expectCommon(reply);
  });

  test.each(["defect", "late"])("of this program are a 500 (%s) and tell no data", async (kind) => {
    door.logged.length = 0;
    const reply = await send(door.port, { headers: call("GetItem"), body: `{"${kind}":true}` });
    expect(reply.status).toBe(500);
    const id = String(reply.headers["x-amzn-requestid"]);
    expect(JSON.parse(reply.text).__type).toMatch(/#InternalServerError$/);
    expect(reply.text).toContain(id);
    expect(door.logged).toHaveLength(1);
    expect(door.logged[0]).toContain(`GetItem ${id} failed with TypeError\n    at `);
    expect(door.logged[0] + reply.text).not.toContain("secret");
  });
});

describe("the order of checks", () => {
  const notFound = "<UnknownOperationException/>\n";
  const cases: [string, Parameters<typeof send>[1], number, string][] = [
    ["PUT", { method: "PUT" }, 404, notFound],
    ["DELETE", { method: "DELETE" }, 404, notFound],
    ["OPTIONS without an origin", { method: "OPTIONS" }, 404, notFound],
    ["GET elsewhere", { method: "GET", path: "/x" }, 404, notFound],
    ["a body without a type", { body: "hi" }, 404, notFound],
    ["a body of another type", { body: "hi", headers: { "content-type": "x" } }, 404, notFound],
    [
      "a body of JSON 1.1",
      { body: "{}", headers: { "content-type": "application/x-amz-json-1.1" } },
      404,
      notFound,
    ],
    ["no JSON", { body: "hi", headers: amzJson }, 400, serialization],
    ["half JSON", { body: '{"a":', headers: call("GetItem") }, 400, serialization],
    [
      "no UTF-8",
      { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), headers: call("GetItem") },
      400,
      serialization,
    ],
    [
      "no JSON before the target",
      { body: "hi", headers: { ...amzJson, ...listTables } },
      400,
      serialization,
    ],
    ["no target", { body: "{}", headers: amzJson }, 400, unknownOperation],
    ["nothing at all", {}, 400, unknownOperation],
    ["no known API", { headers: { "x-amz-target": "whatever" } }, 400, unknownOperation],
    [
      "no known operation",
      { headers: { "x-amz-target": "DynamoDB_20120810.ListTable" } },
      400,
      unknownOperation,
    ],
    [
      "an operation of the other API",
      { headers: { "x-amz-target": "DynamoDBStreams_20120810.GetItem" } },
      400,
      unknownOperation,
    ],
    ["an empty body", { headers: call("ListTables") }, 400, serialization],
    ["a number", { headers: call("ListTables"), body: "7" }, 400, serialization],
    ["a list", { headers: call("ListTables"), body: "[]" }, 400, serialization],
    ["null", { headers: call("ListTables"), body: "null" }, 400, serialization],
  ];
  test.each(cases)("%s", async (_name, sending, status, text) => {
    const reply = await send(door.port, sending);
    expect([reply.status, reply.text]).toEqual([status, text]);
    expectCommon(reply);
  });

  test("HEAD has no body", async () => {
    const reply = await send(door.port, { method: "HEAD" });
    expect([reply.status, reply.text]).toEqual([404, ""]);
  });

  test("deep nesting is parsed", async () => {
    const body = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const reply = await send(door.port, { headers: call("TagResource"), body });
    expect(reply.status).toBe(200);
  });
});

describe("signatures", () => {
  const missing = "Request is missing Authentication Token";
  const twice =
    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.";
  const requires = (name: string) => `Authorization header requires '${name}' parameter. `;
  const dates =
    "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  const include = (name: string) => `AWS query-string parameters must include '${name}'. `;
  const examine = "Re-examine the query-string parameters.";
  const scope = (text: string) =>
    "Credential must have exactly 5 slash-delimited elements, " +
    `e.g. keyid/date/region/service/term, got '${text}'`;
  const cases: [string, string, Record<string, string>, string, string][] = [
    ["none", "/", {}, "MissingAuthenticationToken", missing],
    ["AWS4", "/", { authorization: "AWS4" }, "MissingAuthenticationToken", missing],
    ["X", "/?X-Amz-Algorith", { authorization: "X" }, "MissingAuthenticationToken", missing],
    [
      "a query without its algorithm",
      "/?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d",
      {},
      "MissingAuthenticationToken",
      missing,
    ],
    ["both", "/?X-Amz-Algorithm", { authorization: "X" }, "InvalidSignature", twice],
    [
      "AWS4-",
      "/",
      { authorization: "AWS4-" },
      "IncompleteSignature",
      `${requires("Credential")}${requires("Signature")}${requires("SignedHeaders")}${dates}Authorization=AWS4-`,
    ],
    ...[" ", ",", ", "].map((gap): [string, string, Record<string, string>, string, string] => [
      `without SignedHeaders, parted by '${gap}'`,
      "/",
      { authorization: `AWS4- Signature=b${gap}Credential=a`, date: "a" },
      "IncompleteSignature",
      `${requires("SignedHeaders")}Authorization=AWS4- Signature=b${gap}Credential=a`,
    ]),
    [
      "an empty query algorithm",
      "/?X-Amz-Algorithm",
      {},
      "IncompleteSignature",
      ["Algorithm", "Credential", "Signature", "SignedHeaders", "Date"]
        .map((name) => include(`X-Amz-${name}`))
        .join("") + examine,
    ],
    [
      "a query without SignedHeaders",
      "/?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d",
      {},
      "IncompleteSignature",
      `${include("X-Amz-SignedHeaders")}${examine}`,
    ],
    [
      "no date",
      "/",
      { authorization: "AWS4-x Credential=a/b/c/d/e, SignedHeaders=h, Signature=s" },
      "IncompleteSignature",
      `${dates}Authorization=AWS4-x Credential=a/b/c/d/e, SignedHeaders=h, Signature=s`,
    ],
    [
      "no name of a Region",
      "/",
      { authorization: "AWS4-x Credential=a/b/c:d/e/f, SignedHeaders=h, Signature=s", date: "a" },
      "IncompleteSignature",
      scope("a/b/c:d/e/f"),
    ],
    [
      "a short scope",
      "/",
      {
        authorization: "AWS4-HMAC-SHA256 Credential=a/b/c/d,SignedHeaders=h,Signature=s",
        date: "a",
      },
      "IncompleteSignature",
      scope("a/b/c/d"),
    ],
  ];
  test.each(cases)("%s", async (_name, path, headers, type, message) => {
    const reply = await send(door.port, { path, headers: { ...listTables, ...headers } });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text)).toEqual({
      __type: `com.amazon.coral.service#${type}Exception`,
      message,
    });
    expect(reply.headers["content-type"]).toBe("application/json");
    expectCommon(reply);
  });

  test("in the query are taken", async () => {
    const path =
      "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=K%2F20260101%2Fus-west-2%2Fdynamodb%2Faws4_request" +
      "&X-Amz-Signature=a&X-Amz-SignedHeaders=host&X-Amz-Date=20260101T000000Z";
    const reply = await send(door.port, {
      path,
      headers: { ...amzJson, ...listTables },
      body: "{}",
    });
    expect(reply.status).toBe(200);
    expect(door.calls.at(-1)?.[2]).toMatchObject({ region: "us-west-2" });
  });

  test("choose account and Region", async () => {
    const caller = async (key: string, region: string) => {
      const headers = { ...call("ListTables"), ...signed(key, region) };
      await send(door.port, { headers, body: "{}" });
      return door.calls.at(-1)?.[2] as { account: string; region: string };
    };
    const one = await caller("one", "eu-west-1");
    expect(one.account).toMatch(/^[1-9][0-9]{11}$/);
    expect(one.region).toBe("eu-west-1");
    expect(await caller("one", "us-east-1")).toEqual({ account: one.account, region: "us-east-1" });
    expect((await caller("two", "eu-west-1")).account).not.toBe(one.account);
    expect((await caller("123456789012", "local")).account).toBe("123456789012");
  });

  test("do not matter for tables in a shared space", async () => {
    const shared = await openDoor(true);
    const headers = { ...call("ListTables"), ...signed("one", "eu-west-1") };
    await send(shared.port, { headers, body: "{}" });
    const bare = await send(shared.port, { headers: { ...amzJson, ...listTables }, body: "{}" });
    await shared.http.close();
    expect(shared.calls.map((made) => made[2])).toEqual([
      { account: "000000000000", region: "us-east-1" },
    ]);
    expect(bare.text).toContain("MissingAuthenticationTokenException");
  });
});

describe("pages", () => {
  const exposed = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";

  test("may ask before they send", async () => {
    const reply = await send(door.port, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:3000",
        "access-control-request-headers": "a, b",
        "access-control-request-method": "POST",
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "a, b",
      "access-control-allow-methods": "POST",
      "access-control-expose-headers": exposed,
      "access-control-max-age": "172800",
      "content-length": "0",
    });
    expectCommon(reply);
  });

  test.each(["{}", "hi"])("may read the answer to %s", async (body) => {
    const reply = await send(door.port, { headers: { ...call("GetItem"), origin: "x" }, body });
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
    expect(reply.headers["access-control-expose-headers"]).toBe(exposed);
  });
});

test.each(["/", "/ping", "/?a"])("GET %s tells that all is well", async (path) => {
  const reply = await send(door.port, { method: "GET", path });
  expect([reply.status, reply.text]).toEqual([200, "healthy: dynamodb.us-east-1.amazonaws.com "]);
  expect(reply.headers["x-amz-crc32"]).toBe("3128867991");
  expectCommon(reply);
});

describe("compressed requests", () => {
  const body = Buffer.from('{"a":1}');
  const encoded = (encoding: string) => ({ ...call("GetItem"), "content-encoding": encoding });

  test.each([
    ["gzip", gzipSync(body)],
    ["deflate", deflateSync(body)],
    ["GZIP", Buffer.concat([gzipSync(body.subarray(0, 3)), gzipSync(body.subarray(3))])],
    ["identity", body],
  ])("%s", async (encoding, bytes) => {
    const reply = await send(door.port, { headers: encoded(encoding), body: bytes });
    expect(reply.text).toBe('{"operation":"GetItem","body":{"a":1}}');
  });

  test.each([
    ["garbage", body],
    ["gzip", body],
    ["gzip", gzipSync(body).subarray(0, -1)],
    ["gzip", Buffer.alloc(0)],
  ])("%s that it is not: 500, and no line in the log", async (encoding, bytes) => {
    door.logged.length = 0;
    const reply = await send(door.port, { headers: encoded(encoding), body: bytes });
    expect(reply.status).toBe(500);
    expect(door.logged).toEqual([]);
    expectCommon(reply);
  });

  test("a bomb is not unfolded", async () => {
    const bomb = gzipSync(Buffer.alloc(decodedBodyBytesMax + 1, " "));
    expect(bomb.length).toBeLessThan(bodyBytesMax);
    const reply = await send(door.port, { headers: encoded("gzip"), body: bomb });
    expect(reply.status).toBe(413);
  });
});

describe("compressed answers", () => {
  const answer = (bytes: number, accept: string) =>
    send(door.port, {
      headers: { ...call("GetItem"), "accept-encoding": accept },
      body: `{"bytes":${bytes}}`,
    });

  test.each([
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
  ] as const)(
    "%s from 4096 bytes on, with the checksum of what is sent",
    async (encoding, unfold) => {
      const reply = await answer(4_096, encoding);
      expect(reply.headers["content-encoding"]).toBe(encoding);
      expect(reply.bytes.length).toBeLessThan(200);
      expect(unfold(reply.bytes)).toHaveLength(4_096);
      expectCommon(reply);
      const small = await answer(4_095, encoding);
      expect(small.headers["content-encoding"]).toBeUndefined();
      expect(small.bytes).toHaveLength(4_095);
    },
  );

  test.each([
    ["identity", undefined],
    ["", undefined],
    ["br", undefined],
    ["x-gzip", undefined],
    ["gzip, deflate", "gzip"],
    ["br, identity, deflate, gzip", "deflate"],
    ["GZIP, identity", "gzip"],
    ["dog, gzip ,, cat", "gzip"],
    ["gzip;q=0.8, deflate;q=0.5", "gzip"],
    ["br, gzip;q=0, deflate; q = 0.5 , identity;q=0", "deflate"],
    ["*", "gzip"],
    ["*, deflate;q=0.5", "gzip"],
    ["*, deflate", "deflate"],
    ["*, gzip;q=0.5", "deflate"],
    ["gzip ;q=0", undefined],
    ["*;q=0", undefined],
    ["*;q=0.5,identity", "gzip"],
    ['"gzip"', undefined],
    ["gzip br", undefined],
    ["gzip;q=31,deflate;q=51", "gzip"],
    ["deflate;q=0.5, gzip;q=1;q=0.2", "gzip"],
    ["deflate;q=0.5,gzip;q=0.x", "gzip"],
    ["deflate;q=-0.5,gzip;q=0.2", "gzip"],
    ["gzip;nq=1;q=0 ", undefined],
    ["gzip;q=0, gzip;q=1, gzip;q=0", "gzip"],
  ])("for '%s': %s", async (accept, encoding) => {
    expect((await answer(5_000, accept)).headers["content-encoding"]).toBe(encoding);
  });
});

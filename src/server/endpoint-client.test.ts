import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { EndpointClient, signedHeaders } from "./endpoint-client.ts";

const settings = {
  url: "https://dynamodb.eu-west-1.amazonaws.com/",
  region: "eu-west-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "token",
  now: () => new Date(Date.UTC(2026, 10, 16, 12, 34, 56)),
};

test("requests are signed as the AWS SDK signs them", () => {
  // The signature is what the SDK's own signer makes of this request.
  expect(signedHeaders(settings, "ListTables", '{"Limit":5}')).toEqual({
    "content-type": "application/x-amz-json-1.0",
    "x-amz-date": "20261116T123456Z",
    "x-amz-security-token": "token",
    "x-amz-target": "DynamoDB_20120810.ListTables",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/eu-west-1/dynamodb/aws4_request, " +
      "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, " +
      "Signature=e6564255e9b5c160a55421db5513bce13a2f5cfd1016e16314595631cc31a996",
  });
});

/** Answers one after the other, the last again and again; what came of it, and how often was asked. */
async function asked(answers: readonly (readonly [number, object])[]) {
  let count = 0;
  const pauses: number[] = [];
  const server = createServer((_, response) => {
    const [status, body] = answers[Math.min(count, answers.length - 1)] as (typeof answers)[number];
    count += 1;
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const client = new EndpointClient({
    ...settings,
    url: `http://127.0.0.1:${port}/`,
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  const result = await client.execute("ListTables", {}).then(
    (answer) => answer,
    ({ name, message }: Error) => `${name}: ${message}`,
  );
  server.closeAllConnections();
  server.close();
  return { result, count, pauses };
}

const throttled = [400, { __type: "x#ThrottlingException", message: "Rate exceeded" }] as const;

test("what is throttled or fails on the other side is asked again, later and later", async () => {
  const all = [throttled, [500, {}], [200, { TableNames: [] }]] as const;
  expect(await asked(all)).toEqual({ result: { TableNames: [] }, count: 3, pauses: [200, 400] });
  const { result, count } = await asked([throttled]);
  expect(result).toBe("ThrottlingException: Rate exceeded");
  expect(count).toBe(6);
});

test("what is refused is not asked again", async () => {
  const refused = [400, { __type: "a#ValidationException", message: "no" }] as const;
  expect(await asked([refused])).toEqual({
    result: "ValidationException: no",
    count: 1,
    pauses: [],
  });
});

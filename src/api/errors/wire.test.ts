import { expect, test } from "vitest";
import { ServiceError, validationError } from "./service-error.ts";
import * as wire from "./wire.ts";

const service = "com.amazon.coral.service#";
const dynamo = "com.amazonaws.dynamodb.v20120810#";

test.each<[ServiceError, object]>([
  [wire.bodyNotJson(), { __type: `${service}SerializationException` }],
  [wire.unknownOperation(), { __type: `${service}UnknownOperationException` }],
  [
    wire.unexpectedField(),
    { __type: `${service}SerializationException`, Message: "Unexpected field type" },
  ],
  [
    validationError("no"),
    { __type: "com.amazon.coral.validate#ValidationException", message: "no" },
  ],
  [
    wire.missingAuthenticationToken(),
    {
      __type: `${service}MissingAuthenticationTokenException`,
      message: "Request is missing Authentication Token",
    },
  ],
  [wire.accessDenied("no"), { __type: `${service}AccessDeniedException`, Message: "no" }],
  [
    wire.unrecognizedClient(),
    {
      __type: `${service}UnrecognizedClientException`,
      message: "The security token included in the request is invalid.",
    },
  ],
  [
    wire.signatureGivenTwice(),
    {
      __type: `${service}InvalidSignatureException`,
      message:
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    },
  ],
  [
    wire.incompleteAuthorizationHeader(
      ["Credential", "Signature", "SignedHeaders"],
      false,
      "AWS4-",
    ),
    {
      __type: `${service}IncompleteSignatureException`,
      message:
        "Authorization header requires 'Credential' parameter. " +
        "Authorization header requires 'Signature' parameter. " +
        "Authorization header requires 'SignedHeaders' parameter. " +
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. " +
        "Authorization=AWS4-",
    },
  ],
  [
    wire.incompleteSignatureQuery(["X-Amz-SignedHeaders"]),
    {
      __type: `${service}IncompleteSignatureException`,
      message:
        "AWS query-string parameters must include 'X-Amz-SignedHeaders'. " +
        "Re-examine the query-string parameters.",
    },
  ],
  [
    new ServiceError("TransactionCanceledException", "cancelled", {
      fields: { CancellationReasons: [{ Code: "None" }] },
    }),
    {
      __type: `${dynamo}TransactionCanceledException`,
      Message: "cancelled",
      CancellationReasons: [{ Code: "None" }],
    },
  ],
  [
    new ServiceError("ResourceNotFoundException", "gone"),
    { __type: `${dynamo}ResourceNotFoundException`, message: "gone" },
  ],
])("the body of %s", (error, body) => {
  expect(wire.errorBody(error)).toStrictEqual(body);
});

test("statuses", () => {
  expect(wire.internalServerError("ID").status).toBe(500);
  expect(wire.internalServerError("ID").message).toContain("ID");
  expect(wire.requestTooLarge().status).toBe(413);
  expect(wire.bodyNotJson().status).toBe(400);
});

import { type ErrorType, ServiceError } from "./service-error.ts";

/** The errors that are answered before an operation runs, and the JSON form of every error. */

export function serializationError(message = ""): ServiceError {
  return new ServiceError("SerializationException", message);
}

/** The body is not JSON. */
export function bodyNotJson(): ServiceError {
  return serializationError();
}

/** A scalar of the wrong JSON type, for example a number where a string is expected. */
export function scalarMismatch(value: unknown, target: string): ServiceError {
  return serializationError(`${tokenName(value)} cannot be converted to ${target}`);
}

function tokenName(value: unknown): string {
  if (typeof value === "string") return "STRING_VALUE";
  if (typeof value === "number") return Number.isInteger(value) ? "NUMBER_VALUE" : "DECIMAL_VALUE";
  return value === true ? "TRUE_VALUE" : "FALSE_VALUE";
}

export function unexpectedArray(javaType: string): ServiceError {
  return serializationError(`Unrecognized collection type ${javaType}`);
}

export function unexpectedStructure(): ServiceError {
  return serializationError("Start of structure or map found where not expected");
}

/** A string that stands for neither true nor false. */
export function unexpectedToken(): ServiceError {
  return serializationError("Unexpected token received from parser");
}

/** A scalar where a member of a structure must be a structure, list or map. */
export function unexpectedField(): ServiceError {
  return serializationError("Unexpected field type");
}

/** A scalar where an element of a list or map must be a structure. */
export function unexpectedElement(): ServiceError {
  return serializationError("Unexpected value type in payload");
}

/** A scalar where an element of a list or map must itself be a list or map. */
export function unexpectedNestedCollection(): ServiceError {
  return serializationError(
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class " +
      "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and " +
      "java.lang.Class are in module java.base of loader 'bootstrap')",
  );
}

export function blobNotString(): ServiceError {
  return serializationError("only base-64-encoded strings are convertible to bytes");
}

export function base64Length(length: number): ServiceError {
  return serializationError(
    `Base64 encoded length is expected a multiple of 4 bytes but found: ${length}`,
  );
}

export function base64Character(): ServiceError {
  return serializationError("Invalid last non-pad Base64 character dectected");
}

export function unknownOperation(): ServiceError {
  return new ServiceError("UnknownOperationException", "");
}

export function missingAuthenticationToken(): ServiceError {
  return new ServiceError(
    "MissingAuthenticationTokenException",
    "Request is missing Authentication Token",
  );
}

/** The `Authorization` header lacks parameters, or no date header accompanies it. */
export function incompleteAuthorizationHeader(
  missing: readonly string[],
  dated: boolean,
  header: string,
): ServiceError {
  const parts = missing.map((name) => `Authorization header requires '${name}' parameter. `);
  if (!dated) {
    parts.push(
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ",
    );
  }
  return incompleteSignature(`${parts.join("")}Authorization=${header}`);
}

export function incompleteSignatureQuery(missing: readonly string[]): ServiceError {
  const parts = missing.map((name) => `AWS query-string parameters must include '${name}'. `);
  return incompleteSignature(`${parts.join("")}Re-examine the query-string parameters.`);
}

export function credentialScopeMalformed(credential: string): ServiceError {
  return incompleteSignature(
    "Credential must have exactly 5 slash-delimited elements, " +
      `e.g. keyid/date/region/service/term, got '${credential}'`,
  );
}

export function algorithmUnsupported(algorithm: string): ServiceError {
  return incompleteSignature(
    `Unsupported AWS 'algorithm': '${algorithm}' (only AWS4-HMAC-SHA256 for now). `,
  );
}

export function signatureDateMalformed(date: string): ServiceError {
  return incompleteSignature(
    `Date must be in ISO-8601 'basic format'. Got '${date}'. ` +
      "See http://en.wikipedia.org/wiki/ISO_8601",
  );
}

function incompleteSignature(message: string): ServiceError {
  return new ServiceError("IncompleteSignatureException", message);
}

export function signatureGivenTwice(): ServiceError {
  return invalidSignature(
    "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
  );
}

export function signatureMismatch(): ServiceError {
  return invalidSignature(
    "The request signature we calculated does not match the signature you provided. " +
      "Check your AWS Secret Access Key and signing method. " +
      "Consult the service documentation for details.",
  );
}

/** All three times in ISO-8601 basic format. */
export function signatureExpired(signed: string, earliest: string, now: string): ServiceError {
  return invalidSignature(
    `Signature expired: ${signed} is now earlier than ${earliest} (${now} - 15 min.)`,
  );
}

export function hostNotSigned(): ServiceError {
  return invalidSignature("'Host' must be a 'SignedHeader' in the AWS Authorization.");
}

function invalidSignature(message: string): ServiceError {
  return new ServiceError("InvalidSignatureException", message);
}

export function unrecognizedClient(): ServiceError {
  return new ServiceError(
    "UnrecognizedClientException",
    "The security token included in the request is invalid.",
  );
}

export function accessDenied(message: string): ServiceError {
  return new ServiceError("AccessDeniedException", message);
}

export function requestTooLarge(): ServiceError {
  return new ServiceError("RequestEntityTooLargeException", "", { status: 413 });
}

/** What another endpoint has answered, as if it were said here. */
export function answeredError(
  status: number,
  { __type: type, message, Message }: { __type?: string; message?: string; Message?: string },
): ServiceError {
  const name = type === undefined ? "InternalServerError" : type.slice(type.indexOf("#") + 1);
  return new ServiceError(name as ErrorType, message ?? Message ?? `HTTP ${status}`, { status });
}

/** A defect of this program: the id finds the stack in the log. */
export function internalServerError(requestId: string): ServiceError {
  return new ServiceError(
    "InternalServerError",
    `The request processing has failed because of an internal error (request id ${requestId})`,
    { status: 500 },
  );
}

const service = "com.amazon.coral.service#";

/** The types outside the service's own name space. */
const prefixes: Partial<Record<ErrorType, string>> = {
  ValidationException: "com.amazon.coral.validate#",
  SerializationException: service,
  UnknownOperationException: service,
  MissingAuthenticationTokenException: service,
  IncompleteSignatureException: service,
  InvalidSignatureException: service,
  UnrecognizedClientException: service,
  AccessDeniedException: service,
  ThrottlingException: "com.amazon.coral.availability#",
  // Of Application Auto Scaling, which puts nothing before its types.
  ObjectNotFoundException: "",
  InvalidNextTokenException: "",
};

const upperCaseMessage: ReadonlySet<ErrorType> = new Set<ErrorType>([
  "SerializationException",
  "AccessDeniedException",
  "TransactionCanceledException",
  "ObjectNotFoundException",
  "InvalidNextTokenException",
]);

/** The JSON body of an error's answer. An empty message is left out, as the service does. */
export function errorBody(error: ServiceError): Record<string, unknown> {
  const body: Record<string, unknown> = {
    __type: (prefixes[error.type] ?? "com.amazonaws.dynamodb.v20120810#") + error.type,
  };
  if (error.message !== "") {
    body[upperCaseMessage.has(error.type) ? "Message" : "message"] = error.message;
  }
  return error.fields === undefined ? body : Object.assign(body, error.fields);
}

/** The error types of the protocol that this server answers with. */
export type ErrorType =
  | "ValidationException"
  | "SerializationException"
  | "UnknownOperationException"
  | "MissingAuthenticationTokenException"
  | "IncompleteSignatureException"
  | "InvalidSignatureException"
  | "UnrecognizedClientException"
  | "AccessDeniedException"
  | "ResourceNotFoundException"
  | "ResourceInUseException"
  | "TableNotFoundException"
  | "TableAlreadyExistsException"
  | "TableInUseException"
  | "IndexNotFoundException"
  | "BackupNotFoundException"
  | "BackupInUseException"
  | "PointInTimeRecoveryUnavailableException"
  | "InvalidRestoreTimeException"
  | "LimitExceededException"
  | "ConditionalCheckFailedException"
  | "DuplicateItemException"
  | "PolicyNotFoundException"
  | "GlobalTableNotFoundException"
  | "ItemCollectionSizeLimitExceededException"
  | "TransactionCanceledException"
  | "TransactionConflictException"
  | "TransactionInProgressException"
  | "IdempotentParameterMismatchException"
  | "ProvisionedThroughputExceededException"
  | "ThrottlingException"
  | "RequestLimitExceeded"
  | "RequestEntityTooLargeException"
  | "UnsupportedOperationException"
  | "ObjectNotFoundException"
  | "InvalidNextTokenException"
  | "ExpiredIteratorException"
  | "TrimmedDataAccessException"
  | "ExportConflictException"
  | "ExportNotFoundException"
  | "ImportConflictException"
  | "ImportNotFoundException"
  | "InvalidExportTimeException"
  | "InternalServerError";

/**
 * The one error class of the protocol. Factories in this folder make its instances and hold every
 * message text; only `server` turns one into HTTP.
 */
export class ServiceError extends Error {
  readonly type: ErrorType;
  readonly status: number;
  /** Further members of the answer, for example `CancellationReasons` or `Item`. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;

  constructor(
    type: ErrorType,
    message: string,
    options: { status?: number; fields?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.name = type;
    this.type = type;
    this.status = options.status ?? 400;
    this.fields = options.fields;
  }
}

export function validationError(message: string): ServiceError {
  return new ServiceError("ValidationException", message);
}

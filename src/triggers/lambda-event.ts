import type { StreamRecord } from "./stream-source.ts";

/** The JSON of a record as Lambda hands it over. */
export function lambdaRecord(record: StreamRecord, streamArn: string): object {
  const { userIdentity, ...rest } = record;
  return {
    ...rest,
    eventSourceARN: streamArn,
    // The streams API and Lambda write the same names differently.
    ...(userIdentity !== undefined && {
      userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId },
    }),
  };
}

export function streamEvent(records: readonly { readonly json: string }[]): string {
  return `{"Records":[${records.map(({ json }) => json).join(",")}]}`;
}

import { dirname } from "node:path";
import type { Caller } from "../workbench/workbench.ts";
import { logStreamName } from "./hosted-function.ts";
import type { FunctionSettings } from "./settings.ts";

export interface Surroundings {
  /** Where this server answers. */
  readonly url: string;
  /** Whose tables the function works on. */
  readonly caller: Caller;
  /** An access key that stands for the caller. */
  readonly accessKey: string;
  /** The environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: number;
}

/**
 * What a function finds in its environment: an AWS SDK without any settings talks to this server, and
 * sees the tables that the trigger is about.
 */
export function functionEnvironment(
  settings: FunctionSettings,
  { url, caller, accessKey, env, now }: Surroundings,
): Readonly<Record<string, string>> {
  const { name, file, exportName, memoryMegabytes } = settings;
  const inherited = Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  return {
    ...inherited,
    ...credentials(env, accessKey),
    AWS_REGION: caller.region,
    AWS_DEFAULT_REGION: caller.region,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: url,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName(now),
    LAMBDA_TASK_ROOT: dirname(file),
    _HANDLER: `${name}.${exportName}`,
  };
}

/** Those of the environment, if they are the caller's: other services may be asked with them. */
function credentials(
  env: Surroundings["env"],
  accessKey: string,
): Readonly<Record<string, string>> {
  if (env.AWS_ACCESS_KEY_ID === accessKey && env.AWS_SECRET_ACCESS_KEY !== undefined) return {};
  return { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: "local", AWS_SESSION_TOKEN: "" };
}

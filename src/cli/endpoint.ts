import { EndpointClient } from "../server/endpoint-client.ts";
import type { TableSource } from "../workbench/export-tables.ts";
import { UsageError } from "./usage-error.ts";

/** The tables of an endpoint, asked for with what the environment says of credentials and Region. */
export async function endpointSources(
  url: string,
  region: string | undefined,
  names: readonly string[],
): Promise<readonly TableSource[]> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--endpoint takes a URL such as http://127.0.0.1:8000, not '${url}'.`);
  }
  const { env } = process;
  const client = new EndpointClient({
    url: new URL(url).href,
    region: region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? "us-east-1",
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? "keywright",
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "keywright",
    sessionToken: env.AWS_SESSION_TOKEN,
    now: () => new Date(),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  });
  const execute: TableSource["execute"] = (operation, body) => client.execute(operation, body);
  const tables = names.length > 0 ? names : await allNames(execute);
  return tables.map((name) => ({ name, execute }));
}

async function allNames(execute: TableSource["execute"]): Promise<readonly string[]> {
  const names: string[] = [];
  let start: string | undefined;
  do {
    const answer = (await execute("ListTables", {
      ...(start !== undefined && { ExclusiveStartTableName: start }),
    })) as { TableNames?: readonly string[]; LastEvaluatedTableName?: string };
    names.push(...(answer.TableNames ?? []));
    start = answer.LastEvaluatedTableName;
  } while (start !== undefined);
  return names;
}

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import {
  DescribeExportCommand,
  DescribeTableCommand,
  type DescribeTableCommandOutput,
  type ExportDescription,
  ExportTableToPointInTimeCommand,
  type ExportTableToPointInTimeCommandInput,
  UpdateContinuousBackupsCommand,
} from "@aws-sdk/client-dynamodb";
import { createTable, type TestServer } from "../harness.ts";
import type { TestBucket } from "../imports/bucket.ts";

export async function tableOf(
  server: TestServer,
  TableName: string,
): Promise<NonNullable<DescribeTableCommandOutput["Table"]>> {
  const { Table } = await server.client.send(new DescribeTableCommand({ TableName }));
  return Table ?? {};
}

export async function enableRecovery(server: TestServer, TableName: string): Promise<void> {
  await server.client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
}

/** A table that can be exported. */
export async function recoverable(
  server: TestServer,
  spec: Parameters<typeof createTable>[1] = { key: "pk:S" },
): Promise<{ readonly name: string; readonly arn: string }> {
  const name = await createTable(server, spec);
  await enableRecovery(server, name);
  return { name, arn: (await tableOf(server, name)).TableArn ?? "" };
}

export async function startExport(
  server: TestServer,
  input: ExportTableToPointInTimeCommandInput,
): Promise<ExportDescription> {
  const answer = await server.client.send(new ExportTableToPointInTimeCommand(input));
  return answer.ExportDescription ?? {};
}

export async function endOfExport(
  server: TestServer,
  ExportArn: string | undefined,
): Promise<ExportDescription> {
  for (;;) {
    const answer = await server.client.send(new DescribeExportCommand({ ExportArn }));
    const description = answer.ExportDescription ?? {};
    if (description.ExportStatus !== "IN_PROGRESS") return description;
    await server.running.workbench.idle();
  }
}

export async function exported(
  server: TestServer,
  input: ExportTableToPointInTimeCommandInput,
): Promise<ExportDescription> {
  const { ExportArn } = await startExport(server, input);
  return endOfExport(server, ExportArn);
}

interface ManifestFile {
  readonly itemCount: number;
  readonly md5Checksum: string;
  readonly etag: string;
  readonly dataFileS3Key: string;
}

export interface ReadExport {
  readonly summary: Record<string, unknown>;
  readonly files: readonly ManifestFile[];
  /** The lines of all files. */
  readonly lines: readonly string[];
}

/** Follows the manifests, as a program of a user would, and checks what they say of the files. */
export function readExport(
  bucket: TestBucket,
  { ExportManifest = "" }: ExportDescription,
): ReadExport {
  const summary = JSON.parse(checked(bucket, ExportManifest)) as Record<string, unknown>;
  const filesText = checked(bucket, summary.manifestFilesS3Key as string);
  const files = filesText
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ManifestFile);
  const lines = files.flatMap(({ itemCount, md5Checksum, etag, dataFileS3Key }) => {
    const bytes = bucket.read(dataFileS3Key);
    const digest = createHash("md5").update(bytes).digest();
    if (digest.toString("base64") !== md5Checksum) throw new Error("wrong md5Checksum");
    if (!etag.startsWith(digest.toString("hex"))) throw new Error("wrong etag");
    const found = gunzipSync(bytes)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
    if (found.length !== itemCount) throw new Error("wrong itemCount");
    return found;
  });
  return { summary, files, lines };
}

/** The text of a manifest, whose checksum lies beside it. */
function checked(bucket: TestBucket, key: string): string {
  const bytes = bucket.read(key);
  const md5 = bucket.read(key.replace(/\.json$/, ".md5")).toString("utf8");
  if (createHash("md5").update(bytes).digest("base64") !== md5) throw new Error("wrong md5 file");
  return bytes.toString("utf8");
}

/** All files below a key, by their paths. */
export const filesBelow = (bucket: TestBucket, key: string): readonly string[] =>
  readdirSync(bucket.path(key), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(bucket.path(key).length + 1))
    .toSorted();

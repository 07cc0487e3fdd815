#!/usr/bin/env node
import { cac } from "cac";
import packageJson from "../../package.json" with { type: "json" };
import type { RawOptions } from "./options.ts";
import { start } from "./start.ts";
import { UsageError } from "./usage-error.ts";
import { verify } from "./verify.ts";

type Action = (options: RawOptions) => Promise<number>;

function commandLine(args: readonly string[]) {
  const cli = cac("keywright");
  cli
    .command(
      "start [model]",
      "Serve the DynamoDB API on this machine; the tables of a model, if given",
    )
    .option("--port <port>", "Port to listen on, 0 for any free one (default: 8000)")
    .option("--host <address>", "Address to listen on (default: 127.0.0.1)")
    .option("--data <folder>", "Folder that keeps the data (default: .keywright/data)")
    .option("--in-memory", "Keep nothing on disk")
    .option("--store <url>", "Keep the data in PostgreSQL: postgres://user:password@host/database")
    .option("--durability <kind>", "flush (default) or relaxed")
    .option("--shared", "One space of tables for all access keys and Regions")
    .option("--enforce-capacity", "Throttle requests beyond a table's throughput")
    .option(
      "--scale <factor>",
      "With --enforce-capacity: multiply all limits, for example with 0.01",
    )
    .option("--ttl-delay <seconds>", "Delete items so long after their time to live (default: 0)")
    .option(
      "--s3-folder <folder>",
      "Stands for Amazon S3 in exports and imports: a folder of buckets",
    )
    .option("--pitr-lag <seconds>", "Restore tables to so long ago at the latest (default: 300)")
    .option("--trigger <what>", "Call a function with what changes: 'Table=./module.mjs?options'")
    .option("--schedule <what>", "Call a function at times: 'rate(1 minute)=./module.mjs?options'")
    .option("--error-dialect <month>", "Error texts as of 2026-10 (default) or 2026-05")
    .option("--no-sample", "With a model: leave its tables empty")
    .option("--sample-items <number>", "With a model: about so many items (default: 1000)")
    .option("--seed <number>", "With a model: other sample data (default: 1)")
    .action(((model, options) => start(args, options, model)) satisfies (
      model: string | undefined,
      options: RawOptions,
    ) => Promise<number>);
  cli
    .command("export [...tables]", "Write tables, or with --all a whole database, into a folder")
    .option("--to <folder>", "The folder; it is there when all of it is")
    .option("--all", "All tables")
    .option("--format <format>", "dynamodb-json (default), ion or csv")
    .option("--compression <kind>", "gzip (default) or none")
    .option("--data <folder>", "The data folder to read")
    .option("--store <url>", "Or the PostgreSQL database: postgres://user:password@host/database")
    .option("--endpoint <url>", "Or an endpoint of the DynamoDB API")
    .option("--region <region>", "With --endpoint: the Region (default: AWS_REGION, or us-east-1)")
    .option("--replace", "Replace an export that is there")
    .action((async (tables: readonly string[], options) => {
      const { runExport } = await import("./export.ts");
      return runExport(tables, args, options);
    }) satisfies (tables: readonly string[], options: RawOptions) => Promise<number>);
  cli
    .command("load <path>", "Make tables of an export, or of a file of items")
    .option("--data <folder>", "The data folder to write")
    .option("--store <url>", "Or the PostgreSQL database: postgres://user:password@host/database")
    .option("--table <name>", "Only this table; of a file of items: what the table is called")
    .option("--key <key>", "Of a file of items: the key of the table, such as 'pk:S sk:N'")
    .option("--format <format>", "Of a file of items: dynamodb-json, ion or csv")
    .option("--shared", "The tables belong to nobody, as with start --shared")
    .option("--access-key <key>", "The tables belong to this access key, and to --region")
    .option("--region <region>", "See --access-key")
    .option("--replace", "Delete tables of the same name first")
    .action((async (path: string, options) => {
      const { runLoad } = await import("./load.ts");
      return runLoad(path, args, options);
    }) satisfies (path: string, options: RawOptions) => Promise<number>);
  cli
    .command("verify", "Check stored data: indexes and counters against the items")
    .option("--data <folder>", "The folder to check")
    .option("--store <url>", "Or the PostgreSQL database: postgres://user:password@host/database")
    .action((() => verify(args)) satisfies Action);
  cli
    .command("simulate <workload>", "What a table's capacity makes of a workload (a YAML file)")
    .option("--out <file>", "Write the whole result as JSON")
    .option("--svg <file>", "Draw consumed and throttled units and the partitions over time")
    .option("--seed <number>", "Other random draws (default: the workload's, or 1)")
    .action((async (workload: string) => {
      const { runSimulation } = await import("./simulate.ts");
      return runSimulation(workload, args);
    }) satisfies (workload: string) => Promise<number>);
  cli
    .command("init [file]", "Write a model document to begin with (default: model.yaml)")
    .option("--example <name>", "Begin with one of the examples, such as online-shop")
    .action((async (file: string | undefined) => {
      const { runInit } = await import("./init.ts");
      return runInit(file ?? "model.yaml", args);
    }) satisfies (file: string | undefined) => Promise<number>);
  cli
    .command("check <model>", "Read a model document: what is wrong, what it states, what is open")
    .option("--json", "Write the result as JSON")
    .action((async (model: string, { json }: { json?: boolean }) => {
      const { runCheck } = await import("./check.ts");
      return runCheck(model, json === true);
    }) satisfies (model: string, options: { json?: boolean }) => Promise<number>);
  cli
    .command("lint [model]", "Hold a model document against the rules of good design")
    .option("--json", "The same as --format json")
    .option("--format <format>", "text (default), json or sarif")
    .option("--fix", "Make the changes that are mechanical, and write the file")
    .option("--dry-run", "With --fix: show the changes and write nothing")
    .option("--rule <id>", "Only this rule; may be given several times")
    .option("--severity <severity>", "Nothing below error, warning or hint (default: hint)")
    .option("--rules", "List the rules; no model is needed")
    .action((async (model: string | undefined, options) => {
      const { runLint } = await import("./lint.ts");
      return runLint(model, args, options);
    }) satisfies (model: string | undefined, options: RawOptions) => Promise<number>);
  cli
    .command("design <model>", "The cheapest design for what a model asks, with reasons")
    .option("--write", "Write it into the document")
    .option("--replace", "Design anew, although the document has a design")
    .option("--keep <parts>", "Design the rest: 'all', or tables and indexes that stay as they are")
    .option("--billing", "Also choose for each table how it is paid for, and its class")
    .option("--whole-items", "Leave every item in one piece, and nothing inside of others")
    .option("--explain", "Also at which rates, sizes and fan-outs another design would be cheaper")
    .option("--style <style>", "natural names (the default), or generic: one table with PK and SK")
    .option(
      "--weight <weights>",
      "Dollars a month beyond the bill: 'index=2, round-trip=0.5, table=1'",
    )
    .option("--what-if <changes>", "Try other numbers: '7.rps.average=500, Order.count=1_000'")
    .option("--json", "Write it as JSON")
    .action((async (model: string, options) => {
      const { runDesign } = await import("./design.ts");
      return runDesign(model, args, options);
    }) satisfies (model: string, options: RawOptions) => Promise<number>);
  cli
    .command("cost <model>", "What a design costs in a month, and what that depends on")
    .option("--json", "Write it as JSON")
    .option("--month <hours>", "730h (default) or 30d")
    .option("--region <region>", "Prices of this Region (default: the model's, or us-east-1)")
    .option("--svg <file>", "Draw it by table and by pattern")
    .action((async (model: string, options) => {
      const { runCost } = await import("./cost.ts");
      return runCost(model, args, options);
    }) satisfies (model: string, options: RawOptions) => Promise<number>);
  cli
    .command("heat <model>", "How the peak falls on partition keys, and what is throttled then")
    .option("--json", "Write it as JSON")
    .option("--before <model>", "Another document, to compare with: before and after a change")
    .option("--seconds <seconds>", "How long the peak is simulated; 0: not at all (default: 120)")
    .option("--seed <number>", "Other random draws (default: 1)")
    .option("--cold", "As new tables, which have never served a peak")
    .option("--svg <file>", "Draw consumed and throttled units and the partitions over time")
    .action((async (model: string, options) => {
      const { runHeatCommand } = await import("./heat.ts");
      return runHeatCommand(model, args, options);
    }) satisfies (model: string, options: RawOptions) => Promise<number>);
  cli
    .command(
      "explain <model> [pattern]",
      "How a pattern is served: keys, partitions, items, units, dollars, and the cheaper way",
    )
    .option("--request <file>", "Or a request of the API: { operation, input } as JSON")
    .option("--statement <text>", "Or a PartiQL statement: what it comes to, and whether it scans")
    .option("--parameters <json>", 'Its parameters: [{"S":"a"}]')
    .option("--json", "Write it as JSON")
    .option("--month <hours>", "730h (default) or 30d")
    .option("--region <region>", "Prices of this Region (default: the model's, or us-east-1)")
    .action((async (model: string, pattern: string | undefined, options) => {
      const { runExplain } = await import("./explain.ts");
      return runExplain(model, pattern, args, options);
    }) satisfies (
      model: string,
      pattern: string | undefined,
      options: RawOptions,
    ) => Promise<number>);
  cli
    .command("prove <model>", "Prove every pattern of a design on the engine, and its mutants")
    .option("--pattern <id>", "Only this pattern; several with commas between them")
    .option("--seed <number>", "Other data (default: 1)")
    .option("--all", "Also prove the patterns again that the lock file has as proved")
    .option("--no-lock", "Neither read nor write the lock file (MODEL.lock.json)")
    .option("--verbose", "Also print figures per pattern and equivalent mutants")
    .option("--json", "Write it as JSON")
    .action((async (model: string, options) => {
      const { runProve } = await import("./prove.ts");
      return runProve(model, args, options);
    }) satisfies (model: string, options: RawOptions) => Promise<number>);
  cli
    .command(
      "generate <what> <model>",
      "Write what a model needs: terraform, cloudformation, cdk, or typescript to use it",
    )
    .option("--out <folder>", "The folder to write to")
    .option("--force", "Overwrite files that somebody changed")
    .action((async (what: string, model: string, options) => {
      const { runGenerate } = await import("./generate.ts");
      return runGenerate(what, model, args, options);
    }) satisfies (what: string, model: string, options: RawOptions) => Promise<number>);
  cli
    .command("docs <model>", "Write the requirements and the data model as documents with pictures")
    .option("--out <folder>", "The folder to write to")
    .option("--no-proof", "Do not run the patterns; the document says so")
    .option("--force", "Overwrite files that somebody changed")
    .action((async (model: string, options) => {
      const { runDocs } = await import("./docs.ts");
      return runDocs(model, args, options);
    }) satisfies (model: string, options: RawOptions) => Promise<number>);
  cli
    .command(
      "diff <old> <new>",
      "What differs between two models, and the way from one to the other",
    )
    .option("--json", "Write it as JSON")
    .option(
      "--rename <old=new>",
      "Entity=Other or Entity.attribute=other; may be given several times",
    )
    .option("--accept-loss <id>", "This loss is meant; may be given several times")
    .option("--rate <units>", "Write units for each second of jobs (default: 1000)")
    .option("--rehearse", "Carry the plan out on the engine, with data and under load")
    .option("--items <number>", "With --rehearse: about so many items (default: 2000)")
    .option("--seed <number>", "With --rehearse: other data and another order (default: 1)")
    .action((async (old: string, next: string, options) => {
      const { runDiff } = await import("./diff.ts");
      return runDiff(old, next, args, options);
    }) satisfies (old: string, next: string, options: RawOptions) => Promise<number>);
  cli
    .command(
      "learn [topic]",
      "A page on a concept, pattern, limit, price or rule; without one, the list",
    )
    .option("--search <words>", "The pages that speak of something")
    .option("--json", "Write it as JSON")
    .action((async (topic: string | undefined, { json }: { json?: boolean }) => {
      const { runLearn } = await import("./learn.ts");
      return runLearn(topic, json === true, args);
    }) satisfies (topic: string | undefined, options: { json?: boolean }) => Promise<number>);
  cli.help();
  cli.option("-v, --version", "Display version number");
  return cli;
}

async function run(args: readonly string[]): Promise<number> {
  const cli = commandLine(args);
  const { args: words, options } = cli.parse(["node", "keywright", ...args], { run: false });
  if (options.help) return 0;
  if (options.version) {
    process.stdout.write(`${packageJson.version}\n`);
    return 0;
  }
  if (cli.matchedCommand === undefined) {
    const [word] = words;
    throw new UsageError(
      word === undefined
        ? "Say what to do: keywright start, or keywright --help for more."
        : `There is no command '${word}'; keywright --help lists them.`,
    );
  }
  try {
    return await cli.runMatchedCommand();
  } catch (error) {
    throw asWritten(error, cli.matchedCommandName);
  }
}

/** The parser's own complaints are the user's to mend, like ours. */
function isUsage(error: Error): boolean {
  return error instanceof UsageError || error.name === "CACError";
}

/** The parser tells an unknown option as it keeps it, `--dryRun`; people write `--dry-run`. */
function asWritten(error: unknown, command: string | undefined): unknown {
  if (!(error instanceof Error) || error.name !== "CACError") return error;
  const unknown = /^Unknown option `(--?[^`]+)`$/.exec(error.message)?.[1];
  if (unknown === undefined) return error;
  const written = unknown.replace(/(?<=^--.*)[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new UsageError(
    `Unknown option \`${written}\`; keywright ${command} --help lists those that there are.`,
  );
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const known = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`keywright: ${known.message}\n`);
  process.exitCode = isUsage(known) ? 2 : 1;
}

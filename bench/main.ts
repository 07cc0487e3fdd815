import { bareServerRole, serveBare } from "./bare-server.ts";
import { Children } from "./children.ts";
import { runGrowth } from "./growth.ts";
import { serveWatched, watchedServerRole } from "./growth-delete.ts";
import { fill, fillRole } from "./growth-fill.ts";
import { reportGrowth } from "./growth-report.ts";
import { reasonOf, runLoad } from "./load.ts";
import { reportLoad } from "./load-report.ts";
import { type Options, parseOptions, UsageError, usage } from "./options.ts";
import { reportPostgres, runPostgres } from "./postgres.ts";
import {
  postgresServerRole,
  rawClientRole,
  runRawClient,
  servePostgres,
} from "./postgres-roles.ts";
import { reportProfile, runProfile } from "./profile.ts";
import { machine, record } from "./record.ts";
import { reportStages, runStages } from "./stages.ts";
import { reportStart, runStart } from "./start.ts";

interface Outcome {
  readonly result: object;
  readonly tables: string;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function measure(options: Options, children: Children): Promise<Outcome> {
  switch (options.mode) {
    case "load": {
      const result = await runLoad(options, children, say);
      return { result, tables: reportLoad(result) };
    }
    case "stages": {
      const result = await runStages(options, children, say);
      return { result, tables: reportStages(result) };
    }
    case "start": {
      const result = await runStart(options, children, say);
      return { result, tables: reportStart(result) };
    }
    case "profile": {
      const result = await runProfile(options, children, say);
      return { result, tables: reportProfile(result) };
    }
    case "postgres": {
      const result = await runPostgres(options, children, say);
      return { result, tables: reportPostgres(result) };
    }
    case "growth": {
      const result = await runGrowth(options, children, say);
      return { result, tables: reportGrowth(result) };
    }
  }
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    process.stdout.write(usage);
    return 0;
  }
  const options = parseOptions(args);
  const children = new Children();
  try {
    say(machine());
    if (options.build) await children.run(process.execPath, ["scripts/build.mjs"]);
    const { result, tables } = await measure(options, children);
    process.stdout.write(`\n${tables}\n`);
    if (options.record && options.mode !== "profile") {
      say(`\nRecorded in ${record(options.mode, options, result, tables)} and bench/README.md`);
    }
    return 0;
  } finally {
    await children.stopAll();
  }
}

/** What this program is besides the driver, in processes that the driver starts. */
const roles: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  [bareServerRole]: serveBare,
  [postgresServerRole]: servePostgres,
  [rawClientRole]: runRawClient,
  [fillRole]: fill,
  [watchedServerRole]: serveWatched,
};

const role = roles[process.argv[2] ?? ""];
if (role !== undefined) {
  await role(process.argv.slice(3));
} else {
  try {
    process.exitCode = await main();
  } catch (error) {
    say(error instanceof UsageError ? `${error.message}\n\n${usage}` : `bench: ${reasonOf(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

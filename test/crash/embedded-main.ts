/**
 * Writer and engine in one process, which is killed: it tells what it sends and what was acknowledged
 * through a pipe, before it counts on it.
 */
import { writeSync } from "node:fs";
import { ServiceError } from "../../src/api/errors/service-error.ts";
import { type ServerOptions, startServer } from "../../src/index.ts";
import { refusalOf, Writer } from "./writer.ts";

export interface EmbeddedOptions {
  readonly server: ServerOptions;
  readonly seed: number;
  readonly clients: number;
  readonly firstId: number;
}

/** The pipe's file descriptor. */
const pipe = 3;
const caller = { account: "123456789012", region: "eu-west-1" };

const options = JSON.parse(process.argv[2] as string) as EmbeddedOptions;
const { workbench } = await startServer(options.server);
const writer = new Writer({
  seed: options.seed,
  clients: options.clients,
  firstId: options.firstId,
  stopped: () => false,
  note: (note) => void writeSync(pipe, `${JSON.stringify(note)}\n`),
  send: async (operation, body) => {
    try {
      await workbench.execute(operation, body, caller);
      return "acknowledged";
    } catch (error) {
      if (error instanceof ServiceError) return refusalOf(error.name, error.message);
      return "unknown";
    }
  },
});
await writer.run();

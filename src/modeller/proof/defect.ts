/** Describes a trial that broke off because of a bug in Keywright, so that a user can report it. Decides no verdict. */
import type { Model } from "../../model/model.ts";
import type { Pattern } from "../../model/requirements.ts";
import type { OpenWorld, World } from "./world.ts";

/** An engine error that is no refusal by a condition, or a failed assertion, with all that a bug report needs. */
export interface Defect {
  readonly file: string;
  /** Both count from 1; a model that was not read from a text has none. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly pattern: string;
  readonly name: string;
  /** The request that failed; for a failed assertion, the last one before it, if there was one. */
  readonly request: SentRequest | undefined;
  readonly hasRequestFailed: boolean;
  readonly message: string;
  readonly stack: string | undefined;
}

export interface SentRequest {
  readonly operation: string;
  readonly request: object;
}

/** Carries the request that the engine failed on. */
class EngineFailure extends Error {
  override readonly name = "EngineFailure";
  readonly request: SentRequest;

  constructor(request: SentRequest, cause: unknown) {
    super(getMessage(cause), { cause });
    this.request = request;
  }
}

/** Opens worlds that remember which request was sent last, and which one the engine failed on. */
export class RequestTrace {
  #last: SentRequest | undefined;
  readonly open: OpenWorld;

  constructor(open: OpenWorld) {
    this.open = async (model, tables) => this.#trace(await open(model, tables));
  }

  /** Begins the trial of another pattern. */
  reset(): void {
    this.#last = undefined;
  }

  #trace(world: World): World {
    return {
      ...world,
      execute: async (operation, request) => {
        this.#last = { operation, request };
        try {
          return await world.execute(operation, request);
        } catch (error) {
          if (world.isRefusal(error)) throw error;
          throw new EngineFailure({ operation, request }, error);
        }
      },
      fork: async () => this.#trace(await world.fork()),
    };
  }

  /** Describes an error that broke a trial off. */
  describe(error: unknown, file: string, { place }: Model, { path, id, name }: Pattern): Defect {
    const cause = error instanceof EngineFailure ? error.cause : error;
    const { line, column } = place(path) ?? {};
    return {
      file,
      line,
      column,
      pattern: id,
      name,
      request: error instanceof EngineFailure ? error.request : this.#last,
      hasRequestFailed: error instanceof EngineFailure,
      message: getMessage(cause),
      stack: cause instanceof Error ? cause.stack : undefined,
    };
  }
}

function getMessage(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

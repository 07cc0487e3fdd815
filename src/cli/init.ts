import { existsSync, readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  modelInitText,
  startingModel,
  unknownExample,
  withSchema,
} from "../workbench/model-init.ts";
import { textOption } from "./options.ts";
import { UsageError } from "./usage-error.ts";

/** `keywright init [FILE]`: writes a model document to begin with; what is there is never overwritten. */
export async function runInit(file: string, args: readonly string[]): Promise<number> {
  if (/\.json$/i.test(file)) {
    throw new UsageError(`A model is written as YAML; call it ${file.replace(/json$/i, "yaml")}.`);
  }
  const example = textOption(args, "--example");
  const model = example === undefined ? startingModel : exampleModel(example);
  const text = withSchema(model, schemaFrom(dirname(resolve(file))));
  try {
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(
      reason === "EEXIST"
        ? `${file} is there already and stays as it is; name another file: keywright init FILE.`
        : `${file} cannot be written: ${reason}.`,
    );
  }
  process.stdout.write(modelInitText(text, file));
  return 0;
}

/** The schema in the project that the file is for, as editors want it: relative, with slashes. */
function schemaFrom(folder: string): string {
  const schema = resolve("node_modules/keywright/dist/model.schema.json");
  const path = relative(folder, schema).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}

function exampleModel(name: string): string {
  const folder = exampleFolder();
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length));
  if (!names.includes(name)) throw new UsageError(unknownExample(name, names));
  return readFileSync(join(folder, `${name}.yaml`), "utf8");
}

/** In the package the examples lie beside the bundle, which may be in a folder of chunks; else in the sources. */
function exampleFolder(): string {
  const folders = ["./models", "../models", "../../examples/models"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return folders.find(existsSync) ?? join(".", "models");
}

import { type CheckLook, checkModel, isSound, modelCheckText } from "../workbench/model-check.ts";
import { readText } from "./files.ts";

/** `keywright check`: answers 2 if the document is wrong, 1 if something is open or wrong, else 0. */
export async function runCheck(file: string, json: boolean): Promise<number> {
  const result = checkModel(await readText(file), file);
  process.stdout.write(
    json ? `${JSON.stringify(result)}\n` : modelCheckText(result, lookOf(process.stdout)),
  );
  if (result.summary === undefined) return 2;
  return isSound(result) ? 0 : 1;
}

const widthMax = 140;
const widthMin = 40;

/** https://no-color.org: colours are for people who look and did not ask to do without. */
function lookOf({ isTTY, columns }: NodeJS.WriteStream): CheckLook {
  const width = Math.max(widthMin, Math.min(widthMax, columns ?? 100));
  return { width, colour: isTTY === true && !process.env.NO_COLOR };
}

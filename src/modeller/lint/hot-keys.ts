import type { Path } from "../../document/path.ts";
import type { Pattern } from "../../model/requirements.ts";
import { judgeKey, type KeyVerdict, unsplittable } from "../heat/judge-key.ts";
import type { KeyFamily, KeyLine, KeyLoad } from "../heat/key-load.ts";
import type { LintContext } from "./lint-context.ts";
import { sourceText } from "./requests.ts";
import { counted, listText, numberText, shareText } from "./words.ts";

/** Partition keys that are made alike, with what the peak does to the hottest of them. */
export interface HotKey {
  readonly load: KeyLoad;
  readonly family: KeyFamily;
  readonly verdict: KeyVerdict;
  /** The text of the key, or the index. */
  readonly path: Path;
  /** "'C#{customerId}' of Shop". */
  readonly name: string;
  readonly unsplittable: ReturnType<typeof unsplittable>;
}

export function hotKeys(context: LintContext, direction: "read" | "write"): readonly HotKey[] {
  return context.keyLoads.flatMap((load) =>
    load.families.map((family) => ({
      load,
      family,
      verdict: judgeKey(family, direction),
      path: pathOf(context, load, family),
      name: `'${family.text}' of ${sourceText(load)}`,
      unsplittable: unsplittable(
        family,
        load.index === undefined && [...load.table.indexes.values()].some(({ local }) => local),
      ),
    })),
  );
}

function pathOf({ keys }: LintContext, { table, index }: KeyLoad, { touches }: KeyFamily): Path {
  const [first] = touches;
  const key = keys.find(
    (one) =>
      one.table === table && one.index === index && one.entity.name === first?.record.entity.name,
  );
  return key?.partition[0]?.path ?? index?.path ?? table.path;
}

/** What the hottest key gets, from whom, and how many keys there are. */
export function heatText({ family, verdict }: HotKey): string {
  const { lines, at } = family.hottest[verdict.direction];
  const which = at.length === 0 ? "The hottest key" : `The key with ${listText(at)}`;
  const from = lines
    .filter(({ units }) => units.peak >= verdict.units / 100)
    .slice(0, 3)
    .map(lineText);
  const of = family.count === undefined ? "" : ` of ${counted(family.count, "key")}`;
  const guess = verdict.uncertain
    ? ", if all is on one key, as nobody said how many there are"
    : "";
  return `${which}${of} gets ${numberText(verdict.units)} ${verdict.direction} units per second at peak${guess}: ${listText(from)}; one partition takes ${numberText(verdict.ceiling)}`;
}

function lineText({ pattern, what, units, share }: KeyLine): string {
  return `${numberText(units.peak)} by ${pattern ?? what} (${shareText(share)} of it)`;
}

/** Somebody adds to a number there, and changes nothing else. */
export function isCounting(context: LintContext, { pattern, what }: KeyLine): boolean {
  const own = pattern === undefined ? undefined : context.model.patterns.get(pattern);
  return own !== undefined && what.startsWith("update") && addsOnly(own);
}

export function addsOnly({ actions }: Pattern): boolean {
  return actions.some(
    ({ adds, changes, appends, removes }) =>
      adds.length > 0 && changes.length + appends.length + removes.length === 0,
  );
}

import { componentsOf, skeleton } from "../key-fit.ts";
import type { EntityKey } from "../keys.ts";
import type { LintContext } from "../lint-context.ts";
import type { Finding, Rule } from "../rule.ts";
import { listText } from "../words.ts";

export const keyDoesNotIdentify: Rule = {
  id: "key-does-not-identify",
  severity: "error",
  title: "Two different items can have the same key, so one overwrites the other.",
  topic: "table",
  *check(context) {
    for (const key of context.keys) {
      if (key.kind === "index") continue;
      yield* missingParts(key);
      yield* randomShard(context, key);
    }
    yield* equalKeys(context);
  },
};

function* missingParts({
  kind,
  entity,
  guarded,
  partition,
  sort,
  what,
  path,
  table,
}: EntityKey): Iterable<Finding> {
  const whole = componentsOf([...partition, ...sort])
    .filter(({ transforms }) => !transforms.some((one) => one.kind === "truncate"))
    .map(({ attribute }) => attribute);
  const isUnique = whole.some((name) => entity.attributes.get(name)?.unique);
  if (guarded === undefined && isUnique) return;
  // A look-up item is identified by the value that it guards, the newest version by all but the version.
  const ids = entity.id.filter(
    (name) => !(kind === "latest" && name === table.versioning?.attribute),
  );
  const wanted = guarded === undefined ? ids : [guarded];
  const missing = wanted.filter((name) => !whole.includes(name));
  if (missing.length === 0) return;
  const cut = missing.filter((name) =>
    componentsOf([...partition, ...sort]).some(({ attribute }) => attribute === name),
  );
  yield {
    path,
    message: `${capital(what)} lacks ${listText(missing)}, so two ${guarded === undefined ? entity.name : "values"} can have the same key.`,
    evidence: `A ${guarded === undefined ? entity.name : "value"} is identified by ${listText(wanted)}; the key has ${whole.length === 0 ? "none of it" : listText([...new Set(whole)])}${cut.length === 0 ? "" : `, and of ${listText(cut)} only a part`}.`,
    cure: `Put ${listText(missing)} into the key${guarded === undefined ? ", at the end of the sort key if it is only there to tell items apart" : ", and nothing else but fixed words"}.`,
  };
}

/** A condition sees one key: under a random shard the same id is looked for in one place of many. */
function* randomShard(
  context: LintContext,
  { kind, entity, partition, sort, what, path }: EntityKey,
): Iterable<Finding> {
  const random = [...partition, ...sort].flatMap(({ text }) =>
    text.segments.filter((one) => one.kind === "shard" && one.by.kind === "random"),
  );
  const [shard] = random;
  if (kind !== "item" || shard?.kind !== "shard") return;
  const creating = context
    .writesOf(entity.name)
    .filter(({ action }) => action.kind === "create" && action.condition?.kind === "absent");
  if (creating.length === 0) return;
  yield {
    path,
    message: `${capital(what)} has a random shard, so 'absent' does not keep a second ${entity.name} with the same id out.`,
    evidence: `Pattern ${listText(creating.map(({ pattern }) => pattern.id))} looks at one of ${shard.count} places.`,
    cure: `Calculate the shard from the id, such as {shard:${shard.count}:${entity.id.at(-1)}}.`,
  };
}

/** Different kinds of items whose keys are made the same way. */
function* equalKeys({ keys }: LintContext): Iterable<Finding> {
  const seen = new Map<string, EntityKey>();
  for (const key of keys) {
    if (key.kind === "index") continue;
    const id = JSON.stringify([key.table.name, skeleton(key.partition), skeleton(key.sort)]);
    const other = seen.get(id);
    if (other === undefined) {
      seen.set(id, key);
      continue;
    }
    yield {
      path: key.path,
      message: `${capital(key.what)} can be the same as ${other.what}.`,
      evidence: `Both are ${[...key.partition, ...key.sort].map(({ attribute, text }) => `${attribute} '${text.text}'`).join(", ")} but for the names of attributes.`,
      cure: "Begin their sort keys with different words, such as ORDER# and INVOICE#.",
    };
  }
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

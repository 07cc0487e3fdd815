import { emptyRecord, own } from "../../../base/record.ts";
import type { AttributeValue, Item } from "../../../item/attribute-value.ts";
import type { EntityValues, Writing } from "../../values/render-key.ts";
import { type Image, imageId, imagesOf, sameItem, unchanged } from "./images.ts";
import type { Side } from "./side.ts";
import { readItem, sent, type World } from "./world.ts";

/** One item of a transaction: as it was read, and as it is to be. */
export interface Entry extends Omit<Image, "item"> {
  readonly raw: Item | undefined;
  /** Nothing if it has to go. */
  readonly item: Item | undefined;
  /** It was not read and is written whatever is there: others say whether it is right. */
  readonly blind?: boolean;
}

export interface Known {
  /** Items that were read already. */
  readonly raw?: ReadonlyMap<string, Item>;
  /** Whether an item need not be read, because it follows from others that are. */
  readonly blind?: (image: Image) => boolean;
}

/** Reads all items that an entity has or gets, in the designs that are named. */
export async function entriesFor(
  world: World,
  sides: readonly Side[],
  entity: string,
  before: EntityValues | undefined,
  after: EntityValues | undefined,
  writing: Writing,
  { raw: known, blind }: Known = {},
): Promise<readonly Entry[]> {
  const was = before === undefined ? new Map() : imagesOf(sides, entity, before, writing);
  const is = after === undefined ? new Map() : imagesOf(sides, entity, after, writing);
  const entries: Entry[] = [];
  for (const [id, image] of new Map<string, Image>([...was, ...is])) {
    const wanted = is.get(id)?.item as Item | undefined;
    if (blind?.(image) === true) {
      entries.push({ ...image, raw: undefined, item: wanted, blind: true });
      continue;
    }
    const raw = known?.get(id) ?? (await readItem(world, image.table, image.key));
    entries.push({
      ...image,
      raw,
      item: wanted && withStrangers(wanted, raw, world.names(image.table)),
    });
  }
  return entries;
}

/** What an item holds beside all that the documents know of stays in it. */
export function withStrangers(item: Item, raw: Item | undefined, names: ReadonlySet<string>): Item {
  const whole = emptyRecord<AttributeValue>();
  for (const [name, value] of Object.entries(raw ?? {})) if (!names.has(name)) whole[name] = value;
  for (const [name, value] of Object.entries(item)) whole[name] = value;
  return whole;
}

/** Whether a value that has to be unique belongs to somebody else, as the leading side has it. */
export function isTaken(entries: readonly Entry[], lead: Side["which"]): boolean {
  return entries.some(
    ({ kind, of, raw, item }) =>
      kind === "unique" &&
      of.includes(lead) &&
      raw !== undefined &&
      item !== undefined &&
      Object.entries(item).some(([name, value]) => {
        const theirs = own(raw, name);
        return JSON.stringify(theirs) !== JSON.stringify(value);
      }),
  );
}

const isDone = ({ raw, item, blind }: Entry): boolean =>
  blind !== true &&
  (raw === undefined ? item === undefined : item !== undefined && sameItem(raw, item));

/** Whether everything is stored as it is to be. */
export function isWritten(entries: readonly Entry[]): boolean {
  return entries.every(isDone);
}

interface Member {
  readonly Put?: object;
  readonly Delete?: object;
  readonly ConditionCheck?: object;
}

/**
 * Writes all at once, if all is still as it was read. Items that need not change are only looked at: what the others
 * are made of is in them.
 */
export async function writeEntries(
  world: World,
  all: readonly Entry[],
  guarded = true,
): Promise<"written" | "changed"> {
  // An item that two of the entities share is written once, as the last of them wants it. An item that was missing and is to
  // stay so is checked, too: the backfill may have copied it since it was read.
  const entries = [...new Map(all.map((one) => [imageId(one), one])).values()].filter(
    ({ raw, item, blind }) => guarded || raw !== undefined || item !== undefined || blind === true,
  );
  const members = entries.flatMap((entry): readonly Member[] => {
    const { table, key, raw, item, blind } = entry;
    const isGuarded = guarded && blind !== true;
    const guard = isGuarded ? unchanged(key, raw, world.names(table)) : {};
    const target = { TableName: table, ...guard };
    if (isDone(entry)) return guarded ? [{ ConditionCheck: { ...target, Key: key } }] : [];
    return item === undefined
      ? [{ Delete: { ...target, Key: key } }]
      : [{ Put: { ...target, Item: item } }];
  });
  if (members.length === 0) return "written";
  try {
    const [only] = members;
    if (members.length === 1 && only?.Put !== undefined) await sent(world, "PutItem", only.Put);
    else if (members.length === 1 && only?.Delete !== undefined) {
      await sent(world, "DeleteItem", only.Delete);
    } else await sent(world, "TransactWriteItems", { TransactItems: members });
    return "written";
  } catch (error) {
    if (!world.ground.isRefusal(error)) throw error;
    return "changed";
  }
}

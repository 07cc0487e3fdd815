import { describe, expect, test } from "vitest";
import { modelOf } from "../../src/model/model.test-support.ts";
import {
  change,
  edited,
  exampleText,
  game,
  newClub,
  oldClub,
  shop,
  unguarded,
} from "../../src/modeller/migration/migration.test-support.ts";
import { type Migration, migrationOf } from "../../src/modeller/migration/migration.ts";
import type { Act, MigrationStep } from "../../src/modeller/migration/step.ts";
import {
  isWrong,
  type Rehearsal,
  rehearsalText,
  rehearseMigration,
} from "../../src/workbench/model-rehearse.ts";

const wrongIn = ({ steps, back }: Rehearsal): string[] =>
  [...steps, ...back].flatMap(({ title, wrong }) => wrong.map((one) => `${title}: ${one}`));

const pairs: readonly (readonly [string, () => Migration])[] = [
  ["an index is added", () => change("online-shop", shop.addedIndex)],
  ["an index projects more", () => change("online-shop", shop.widerProjection)],
  ["an entity gets a table of its own", () => change("online-shop", shop.ownTable)],
  [
    "an attribute is dropped",
    () =>
      change("online-shop", shop.droppedAttribute, {
        accepted: ["attribute-dropped:entities.Order.attributes.note"],
      }),
  ],
  [
    "an attribute is renamed",
    () =>
      change("online-shop", shop.renamedAttribute, {
        renames: [{ entity: "Order", attribute: "note", to: "remark" }],
      }),
  ],
  ["an index gets more shards", () => change("game-leaderboard", game.moreShards)],
  ["counters go back into their item", () => change("game-leaderboard", game.oneItem)],
  [
    "a table has another name",
    () => change("game-leaderboard", [["    Matches:\n", "    Games:\n"]]),
  ],
  [
    "values are kept unique",
    () =>
      migrationOf(
        modelOf(edited("game-leaderboard", unguarded)),
        modelOf(exampleText("game-leaderboard")),
        { accepted: ["unique-may-be-violated:design.unique.Player.nick"] },
      ),
  ],
  [
    "guards lie under other keys",
    () => change("online-shop", [["EMAIL#{email|lower}", "MAIL#{email|lower}"]]),
  ],
  [
    "a table is run otherwise",
    () =>
      change("online-shop", [
        ["billing: on-demand", "billing: { provisioned: { read: 1000, write: 500 } }"],
        ["class: standard", "class: infrequent-access"],
        ["stream: new-and-old-images", "stream: new-image"],
        ["deletionProtection: true", "deletionProtection: false"],
      ]),
  ],
  [
    "one table becomes many",
    () =>
      migrationOf(
        modelOf(exampleText("online-shop")),
        modelOf(edited("online-shop", ...shop.manyTables)),
      ),
  ],
];

test.each([1, 3, 8])(
  "members come, go and change their addresses while old and new code run side by side (seed %i)",
  { timeout: 180_000 },
  async (seed) => {
    const migration = migrationOf(modelOf(oldClub), modelOf(newClub));
    const rehearsal = await rehearseMigration(migration, { items: 400, seed, clients: 16 });
    expect(wrongIn(rehearsal)).toEqual([]);
    expect(rehearsal.back).toHaveLength(1);
  },
);

test.each(pairs)("%s: nobody notices", { timeout: 120_000 }, async (_, make) => {
  const rehearsal = await rehearseMigration(make(), { items: 150 });
  expect(rehearsal.hindrances).toEqual([]);
  expect(wrongIn(rehearsal)).toEqual([]);
  expect(rehearsal.steps.at(-1)?.act).toBe("end");
  expect(rehearsal.back).toHaveLength(1);
  const writes = rehearsal.steps.reduce((sum, one) => sum + one.writes, 0);
  expect(writes).toBeGreaterThan(20);
});

test("lines of orders get a copy of the category", { timeout: 180_000 }, async () => {
  const rehearsal = await rehearseMigration(change("online-shop", shop.copy), { items: 300 });
  expect(wrongIn(rehearsal)).toEqual([]);
  // Every line that there is gets one.
  const copied = rehearsal.steps.find(({ act }) => act === "backfill");
  expect(copied?.items).toBeGreaterThan(100);
});

describe("keys with more digits, two thousand items", () => {
  const migration = change("online-shop", shop.padding);

  test("is carried out step by step, and back", { timeout: 180_000 }, async () => {
    const rehearsal = await rehearseMigration(migration);
    expect(wrongIn(rehearsal)).toEqual([]);
    expect(rehearsal.items).toBeGreaterThan(1_900);
    const copied = rehearsal.steps.find(({ act }) => act === "backfill");
    expect(copied?.items).toBeGreaterThan(1_500);
    const text = rehearsalText(rehearsal);
    expect(text).toContain("No write was lost");
    expect(text).toContain("The way back was tried");
  });

  test("the same seed plays the same", { timeout: 180_000 }, async () => {
    const played = async (seed: number): Promise<object> => {
      const { steps } = await rehearseMigration(migration, { items: 60, seed });
      return steps.map(({ milliseconds: _, ...one }) => one);
    };
    const [once, again, other] = [await played(3), await played(3), await played(4)];
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });
});

describe("mistakes are found", () => {
  const padding = change("online-shop", shop.padding);
  const without = (act: Act): readonly MigrationStep[] =>
    padding.steps.filter((step) => step.act !== act);

  test("a backfill without its conditions loses writes", { timeout: 180_000 }, async () => {
    const rehearsal = await rehearseMigration(padding, {
      items: 400,
      mistake: "backfill-without-conditions",
    });
    expect(isWrong(rehearsal)).toBe(true);
    expect(rehearsalText(rehearsal)).toContain("The plan does not do what it promises.");
  });

  test("writers who never write both", { timeout: 180_000 }, async () => {
    const rehearsal = await rehearseMigration(padding, { items: 400 }, without("write-both"));
    expect(isWrong(rehearsal)).toBe(true);
    expect(rehearsal.steps.at(-1)?.act).toMatch(/backfill|verify/);
  });

  test("readers who change before there is anything to read", { timeout: 180_000 }, async () => {
    const read = padding.steps.find(({ act }) => act === "read-new") as MigrationStep;
    const steps = without("read-new").flatMap((step) =>
      step.act === "backfill" ? [read, step] : [step],
    );
    const rehearsal = await rehearseMigration(padding, { items: 400 }, steps);
    expect(rehearsal.steps.at(-1)?.act).toBe("read-new");
    expect(wrongIn(rehearsal)[0]).toContain("new pattern");
  });

  test("no copy at all, and nothing cleared away", { timeout: 180_000 }, async () => {
    const copied = await rehearseMigration(padding, { items: 200 }, without("backfill"));
    expect(isWrong(copied)).toBe(true);
    const moved = change("online-shop", shop.ownTable);
    const left = await rehearseMigration(
      moved,
      { items: 200 },
      moved.steps.filter(({ act }) => act !== "clean-up"),
    );
    expect(wrongIn(left)[0]).toContain("should not be there");
  });

  test("an index that is deleted while old readers need it", { timeout: 180_000 }, async () => {
    const { steps, ...rest } = change("online-shop", shop.widerProjection);
    const drop = steps.find(({ act }) => act === "drop") as MigrationStep;
    const early = [{ ...drop, right: { readers: "old", writers: "old" } as const }, ...steps];
    const rehearsal = await rehearseMigration({ ...rest, steps }, { items: 200 }, early);
    expect(wrongIn(rehearsal).join()).toContain("The table does not have the specified index");
  });
});

test("a first design, and one that is given up", { timeout: 180_000 }, async () => {
  const whole = modelOf(exampleText("game-leaderboard"));
  const text = exampleText("game-leaderboard");
  const bare = modelOf(text.slice(0, text.indexOf("design:\n")));
  const first = migrationOf(bare, whole);
  expect(first.steps.map(({ act }) => act)).toEqual([...Array(5).fill("create"), "deploy"]);
  expect(wrongIn(await rehearseMigration(first, { items: 50 }))).toEqual([]);
  const last = migrationOf(whole, bare);
  expect(last.findings.filter(({ severity }) => severity === "error").map(({ id }) => id)).toEqual(
    expect.arrayContaining(["entity-dropped:entities.Player", "pattern-unserved:patterns.player"]),
  );
});

test("what is drawn cannot be worked out again, and it is said", async () => {
  const drawn = change("game-leaderboard", [
    ["key: { matchId: S }", "key: { match: S }"],
    [
      'Match: { key: { matchId: "{matchId}" } }',
      'Match: { key: { match: "{matchId}#{shard:4}" } }',
    ],
  ]);
  const rehearsal = await rehearseMigration(drawn, { items: 100 });
  expect(rehearsal.hindrances).toEqual(["the key of Match is drawn"]);
  expect(isWrong(rehearsal)).toBe(true);
  expect(rehearsalText(rehearsal)).toContain("This cannot be rehearsed");
});

test.runIf(process.env.KEYWRIGHT_LONG)(
  "a hundred thousand items under load",
  { timeout: 3_600_000 },
  async () => {
    const rehearsal = await rehearseMigration(change("online-shop", shop.padding), {
      items: 100_000,
    });
    expect(wrongIn(rehearsal)).toEqual([]);
    expect(rehearsal.items).toBeGreaterThan(95_000);
  },
);

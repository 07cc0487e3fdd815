import { expect, test } from "vitest";
import { edited, exampleText, shop } from "../modeller/migration/migration.test-support.ts";
import { diffModels, isLossy, modelDiffOutput } from "./model-diff.ts";

const old = { text: exampleText("online-shop"), file: "old.yaml" };
const next = (text: string) => ({ text, file: "new.yaml" });

test("complaints of both documents, with their files", () => {
  const diff = diffModels({ ...old, text: "keywright: 1\nname: a\ntabels: 1\n" }, next("nam: b\n"));
  expect(diff.migration).toBeUndefined();
  const text = modelDiffOutput(diff, "text");
  expect(text).toContain("old.yaml:3:1");
  expect(text).toContain("new.yaml:");
  expect(JSON.parse(modelDiffOutput(diff, "json"))).toMatchObject({
    files: { old: "old.yaml", new: "new.yaml" },
    complaints: [
      { file: "old.yaml" },
      { file: "old.yaml" },
      { file: "new.yaml" },
      { file: "new.yaml" },
      { file: "new.yaml" },
      { file: "new.yaml" },
    ],
  });
});

test("JSON says the same as the text", () => {
  const diff = diffModels(old, next(edited("online-shop", ...shop.droppedAttribute)));
  expect(isLossy(diff)).toBe(true);
  const json = JSON.parse(modelDiffOutput(diff, "json", { rehearsal: { items: 1 } }));
  expect(json).toMatchObject({
    refused: true,
    rehearsal: { items: 1 },
    changes: [{ path: "entities.Order.attributes.note", kind: "destructive", how: "removed" }, {}],
    findings: [
      {
        id: "attribute-dropped:entities.Order.attributes.note",
        severity: "error",
        accepted: false,
        old: { path: "entities.Order.attributes.note", line: 45, column: 13 },
        new: { path: "entities.Order", line: 33, column: 5 },
      },
    ],
    newNames: [{ table: "Shop", index: "GSI2", name: "GSI2-2", attributes: [] }],
  });
  expect(json.steps.map(({ step }: { readonly step: number }) => step)).toEqual(
    json.steps.map((_: unknown, i: number) => i + 1),
  );
  expect(json.steps[0]).toMatchObject({ act: "create", who: "API", right: { readers: "old" } });
});

test("renames and losses that speak of nothing are the caller's to mend", () => {
  const same = next(edited("online-shop", ...shop.renamedAttribute));
  expect(() => diffModels(old, same, { renames: ["Order.nota=remark"] })).toThrow(
    "--rename Order.nota=remark",
  );
  expect(() => diffModels(old, same, { renames: ["remark"] })).toThrow("--rename remark");
  expect(() => diffModels(old, same, { accepted: ["attribute-dropped:x"] })).toThrow(
    "--accept-loss attribute-dropped:x",
  );
  const stated = diffModels(old, same, { renames: ["Order.note=remark"] });
  expect(isLossy(stated)).toBe(false);
  expect(diffModels(old, same, { renames: ["Order.note=Order.remark"] }).migration?.moves).toEqual(
    stated.migration?.moves,
  );
});

test("the rate is in the times", () => {
  const wider = next(edited("online-shop", ...shop.addedIndex));
  expect(modelDiffOutput(diffModels(old, wider, { rate: 5_000 }), "text")).toContain(
    "50 min at 5,000 write units a second",
  );
});

test("texts of a document are shown to a terminal, and not obeyed by it", () => {
  const hostile = String.raw`\u001b[2J\u202e*/ $\u007bx} </script>`;
  const text = edited(
    "online-shop",
    ["tags: { team: shop }", `tags: { team: "${hostile}" }`],
    ["purpose: orders that somebody still has to work on", `purpose: "${hostile}"`],
    ["STATUS#{status}#{shard:4:orderId}", "STATE#{status}#{shard:4:orderId}"],
  );
  const diff = diffModels(old, next(text));
  const shown = modelDiffOutput(diff, "text");
  // The text of a purpose, of a tag that changes, and of the tag in its request, where it is JSON.
  expect(shown.split("\\u{1b}[2J\\u{202e}*/ $" + "{x} </script>")).toHaveLength(4);
  expect([...shown].filter((one) => /[\p{Cc}\p{Cf}]/u.test(one) && one !== "\n")).toEqual([]);
  const json = JSON.parse(modelDiffOutput(diff, "json"));
  const said = JSON.parse(`"${hostile}"`);
  expect(json.steps.map(({ why }: { readonly why: string }) => why)).toContain(said);
});

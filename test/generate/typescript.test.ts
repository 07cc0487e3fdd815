import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases, exampleModel, hostileModel } from "./examples.test-support.ts";
import {
  filesOf,
  generatedFolder,
  root,
  runtimeNamesIn,
  writeFiles,
} from "./typescript.test-support.ts";
import { awkwardModel, nestedModel, wideModel } from "./typescript-models.test-support.ts";

/** What a program with the code of the online shop may do, and what it may not. */
const uses = `import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { createAccess, customerKey, type NewCustomer, type Order, type ShopItem } from "./index.js";

declare const client: DynamoDBDocumentClient;
const shop = createAccess(client, { prefix: "test-" });

export async function right(): Promise<void> {
  const customer = await shop.customersProfile({ customerId: "c" });
  const name: string | undefined = customer?.name;
  const { items, token } = await shop.ordersOfACustomer({ customerId: "c" }, { limit: 5 });
  const total: number | undefined = items[0]?.total;
  const next: string | undefined = token;
  const { order, orderItems } = await shop.orderWithItsItems({ orderId: "o" });
  const status: "open" | "paid" | "shipped" | "returned" | undefined = order?.status;
  const positions: readonly number[] = orderItems.map(({ position }) => position);
  const key: { readonly PK: \`CUSTOMER#\${string}\`; readonly SK: "PROFILE" } = customerKey({ customerId: "c" });
  const made: NewCustomer = { customerId: "c", email: "e", name: "n", status: "active", createdAt: "" };
  await shop.signUp({ customer: made });
  void [name, total, next, status, positions, key];
}

export function kinds(item: ShopItem): Order["status"] | undefined {
  return item.kind === "Order" ? item.status : undefined;
}

export async function wrong(item: ShopItem): Promise<void> {
  // @ts-expect-error a number is no id
  await shop.customersProfile({ customerId: 5 });
  // @ts-expect-error the id is missing
  await shop.customersProfile({});
  // @ts-expect-error there is no such state
  await shop.ordersInAState({ status: "lost" });
  const { items } = await shop.ordersOfACustomer({ customerId: "c" });
  // @ts-expect-error the pattern does not return it
  void items[0]?.address;
  // @ts-expect-error a list has no token of a page that is not one
  await shop.product({ productId: "p" }, { limit: 5 });
  // @ts-expect-error a key has a part that is fixed
  const key: { readonly PK: \`ORDER#\${string}\` } = customerKey({ customerId: "c" });
  // @ts-expect-error only orders have a total
  void (item.kind === "Customer" && item.total);
  // @ts-expect-error a customer has a name
  await shop.signUp({ customer: { customerId: "c", email: "e", status: "active", createdAt: "" } });
  // @ts-expect-error undefined is not the same as nothing
  await shop.signUp({ customer: { customerId: "c", email: "e", name: "n", status: "active", createdAt: "", address: undefined } });
  // @ts-expect-error there is no such table
  createAccess(client, { names: { Shoop: "x" } });
  void key;
}
`;

/** The program in the documentation. */
function snippet(): string {
  const page = readFileSync(join(root, "docs/generate.md"), "utf8");
  const [, code = ""] = /```ts\n(.*?)```/s.exec(page) ?? [];
  return code.replace("./shop/index.js", "./index.js");
}

describe("TypeScript", () => {
  let folder: ReturnType<typeof generatedFolder>;
  const models = [
    ...cases.map((name) => [name, exampleModel(name)] as const),
    ["hostile", hostileModel()] as const,
    ["awkward", awkwardModel()] as const,
    ["wide", wideModel()] as const,
    ["nested", nestedModel()] as const,
  ];
  beforeAll(() => {
    folder = generatedFolder();
    for (const [name, model] of models) writeFiles(join(folder.path, name), model);
    writeFileSync(join(folder.path, "online-shop/uses.ts"), uses);
    writeFileSync(join(folder.path, "online-shop/page.ts"), snippet());
  });
  afterAll(() => folder.remove());

  it("compiles under the strictest options, and refuses what is wrong", () => {
    const files = [
      ...models.map(([name]) => join(folder.path, name, "index.ts")),
      join(folder.path, "online-shop/uses.ts"),
      join(folder.path, "online-shop/page.ts"),
    ];
    const options = "--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes";
    const more =
      "--noImplicitOverride --noUnusedLocals --noUnusedParameters --noImplicitReturns --isolatedModules";
    const last = "--verbatimModuleSyntax --erasableSyntaxOnly --skipLibCheck --ignoreConfig";
    const target = "--module nodenext --target es2022 --types node";
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const all = [options, more, last, target].join(" ").split(" ");
    let complaints = "";
    try {
      execFileSync(process.execPath, [tsc, ...all, ...files], { encoding: "utf8" });
    } catch (error) {
      complaints = (error as { stdout: string }).stdout.replaceAll(`${folder.path}/`, "");
    }
    expect(complaints).toBe("");
    expect(snippet()).toContain("shop.signUp(");
  }, 180_000);

  it.each(models)("of %s is the same every time, and says where it is from", (name, model) => {
    const files = filesOf(model);
    expect(filesOf(model)).toEqual(files);
    for (const { path, text } of files) {
      expect(text, path).toMatch(
        /^\/\/ Generated by keywright from the model \S+\. Change the model/,
      );
      expect(text, path).not.toContain('.ts"');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal or an editor would obey
      expect(text, `${name} ${path}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028\u202e]/);
    }
  });

  it("depends on the SDK alone, and brings no more of the runtime than it needs", () => {
    const packages = models.flatMap(([, model]) =>
      filesOf(model).flatMap(({ text }) =>
        [...text.matchAll(/^(?:import|export|\}).* from "([^"]+)";$/gm)].map(
          ([, from = ""]) => from,
        ),
      ),
    );
    expect([...new Set(packages.filter((from) => !from.startsWith(".")))]).toEqual([
      "@aws-sdk/lib-dynamodb",
    ]);
    for (const [name, model] of models) {
      const files = filesOf(model);
      const brought = files.flatMap(({ path }) =>
        path.startsWith("runtime/") ? [path.slice("runtime/".length, -".ts".length)] : [],
      );
      expect(brought, name).toEqual(runtimeNamesIn(files));
    }
  });
});

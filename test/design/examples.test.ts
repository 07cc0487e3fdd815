import { describe, expect, test } from "vitest";
import { examples } from "../../src/model/model.test-support.ts";
import { designModel, isFailing } from "../../src/workbench/model-design.ts";

const now = Date.UTC(2026, 0, 15, 12);
const isLong = process.env.KEYWRIGHT_LONG !== undefined;
/** The two that ask for most: what is read together and sorted by the caller, and what is gone. */
const always: readonly string[] = ["code-hosting", "marketplace"];

describe.each(examples.filter(([name]) => isLong || always.some((one) => name.startsWith(one))))(
  "%s",
  (name, text) => {
    test("is designed anew, and all its patterns are proved", { timeout: 400_000 }, async () => {
      const design = await designModel(text, name, { now, replace: true });
      expect(design.refused).toEqual([]);
      expect(
        design.checks?.proofs.flatMap(({ pattern, failure }) =>
          failure === undefined ? [] : [`${pattern}: ${failure.what}`],
        ),
      ).toEqual([]);
      expect(isFailing(design)).toBe(false);
    });
  },
);

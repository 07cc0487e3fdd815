import { demandsOf, isOver } from "../capacity.ts";
import type { Rule } from "../rule.ts";
import { numberText, shareText } from "../words.ts";

/** What a new on-demand table or index takes at once. */
const baseline = { read: 12_000, write: 4_000 } as const;

export const coldStart: Rule = {
  id: "cold-start",
  severity: "warning",
  title: "A new on-demand table cannot take the peak that it is made for.",
  topic: "on-demand",
  *check(context) {
    for (const { load, name, path, prewarm, ...demand } of demandsOf(context)) {
      if (load.billing.mode !== "on-demand") continue;
      const kinds = (["read", "write"] as const).flatMap((kind) => {
        const taken = Math.max(baseline[kind], prewarm?.[kind] ?? 0);
        const { peak } = demand[kind];
        return isOver(peak, taken) ? [{ kind, taken, peak, share: 1 - taken / peak }] : [];
      });
      const [first] = kinds;
      if (first === undefined) continue;
      const warm = { read: 0, write: 0 };
      for (const kind of ["read", "write"] as const) {
        const need = Math.ceil(demand[kind].peak / 1_000) * 1_000;
        warm[kind] = Math.max(baseline[kind], need, prewarm?.[kind] ?? 0);
      }
      const parts = kinds.map(
        ({ kind, taken, peak }) => `${numberText(peak)} ${kind} units against ${numberText(taken)}`,
      );
      yield {
        path: prewarm === undefined ? path : [...path, "prewarm"],
        message: `${name} is new when its first peak comes, and is not warm enough for it.`,
        evidence: `${parts.join(", ")} that ${prewarm === undefined ? "a new table or index" : "it"} takes at once; more comes only after it has been busy for a while, and until then ${shareText(Math.max(...kinds.map(({ share }) => share)))} are throttled.`,
        price: { kind: "throttled", share: Math.max(...kinds.map(({ share }) => share)) },
        cure: `Warm it before the first peak: prewarm: { read: ${numberText(warm.read)}, write: ${numberText(warm.write)} }, which is paid for once.`,
        fix: {
          what: `warms ${name}`,
          edits: [{ kind: "set", path: [...path, "prewarm"], value: warm }],
        },
      };
    }
  },
};

import { expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import { heatOf, isOver } from "../../src/modeller/heat/heat.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";

/** The best of a season, which everybody looks at. Scores of a season change 3,000 times a second at peak. */
function board(looks: number): ModelDocument {
  return {
    keywright: 1,
    name: "board",
    entities: {
      Score: {
        id: ["playerId", "seasonId"],
        count: 1_000_000,
        attributes: {
          playerId: { type: "S", format: "ulid" },
          seasonId: { type: "S", bytes: 6, distinct: 4, mutable: false },
          points: { type: "N", digits: 6 },
        },
      },
    },
    patterns: {
      top: {
        name: "The best",
        read: "Score",
        where: { seasonId: "equals" },
        order: { points: "descending" },
        limit: 100,
        latency: "50ms",
        rps: { average: looks / 10, peak: looks },
      },
      better: {
        name: "More points",
        update: "Score",
        where: { playerId: "equals", seasonId: "equals" },
        changes: ["points"],
        rps: { average: 100, peak: 3_000 },
      },
    },
  } as unknown as ModelDocument;
}

async function designed(document: ModelDocument) {
  const { model } = modelFrom(document);
  const outcome = designOf(model as Model, await integerSolver());
  const design = outcome.designed?.design;
  const whole = design && modelFrom({ ...document, design }).model;
  return {
    refused: outcome.refused,
    dax: Object.values(design?.tables ?? {}).map(({ dax }) => dax),
    isHot: whole === undefined ? undefined : isOver(heatOf(whole)),
  };
}

test("a list that is read more than a partition can do has a cache: shards do not help who asks all of them", async () => {
  const { dax, isHot } = await designed(board(40_000));
  expect(dax).toEqual([expect.objectContaining({ patterns: ["top"], nodes: 3 })]);
  expect(isHot).toBe(false);
});

test("a list that a partition can serve has none", async () => {
  const { dax, isHot } = await designed(board(200));
  expect(dax).toEqual([undefined]);
  expect(isHot).toBe(false);
});

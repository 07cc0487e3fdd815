import { expect, test } from "vitest";
import { Source } from "../../src/document/source.ts";
import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom, parseModel } from "../../src/model/parse.ts";
import { months } from "../../src/modeller/cost/month.ts";
import { costOf } from "../../src/modeller/cost/report.ts";
import { designOf } from "../../src/modeller/designer/designer.ts";
import { integerSolver } from "../../src/workbench/integer-solver.ts";

/** Just under a unit of 1,024 bytes: what is made for one of two indexes takes the items over it. */
const reports = (body: number): string => `keywright: 1
name: reports
entities:
  Report:
    id: [reportId]
    count: 1_000_000
    attributes:
      reportId: { type: S, format: ulid }
      city: { type: S, values: { one: 1 } }
      kind: { type: S, values: { all: 1 } }
      at: { type: S, format: iso-time, mutable: false }
      body: { type: S, bytes: ${body} }
patterns:
  1: { name: Report, create: Report, condition: absent, rps: { average: 10, peak: 3_000 } }
  2:
    name: The newest of a city
    read: Report
    where: { city: equals }
    order: { at: descending }
    limit: 20
    returns: [reportId, at]
    rps: { average: 30, peak: 50 }
  3:
    name: The newest of a kind
    read: Report
    where: { kind: equals }
    order: { at: descending }
    limit: 20
    returns: [reportId, at]
    rps: { average: 30, peak: 50 }
`;

test.each([800, 905, 915, 925, 935])(
  "two indexes in shards on one table cost what the bill says: items with %i bytes",
  {
    timeout: 60_000,
  },
  async (body) => {
    const text = reports(body);
    const { designed, refused } = designOf(
      parseModel(text, "reports.yaml").model as Model,
      await integerSolver(),
    );
    expect(refused).toEqual([]);
    const indexes = Object.values(designed?.design.tables.Reports?.indexes ?? {});
    expect(indexes.filter(({ sets }) => sets !== undefined)).toHaveLength(2);
    const document = Source.read(text, "reports.yaml").source?.value as ModelDocument;
    const { model } = modelFrom({ ...document, ...(designed && { design: designed.design }) });
    const { report } = costOf(model as Model, { region: undefined, month: months["730h"] });
    expect(report?.total.average).toBeCloseTo(designed?.total ?? 0, 2);
  },
);

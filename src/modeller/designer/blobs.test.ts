import { expect, test } from "vitest";
import { modelOf } from "../../model/model.test-support.ts";
import type { Entity } from "../../model/requirements.ts";
import { blobsOf, withoutDesign } from "./blobs.ts";

function blobs(attributes: string, where = "id: equals", design = ""): unknown {
  const read = modelOf(`keywright: 1
name: things
entities:
  Thing: { id: [id], count: 10, attributes: { id: { type: S, format: ulid }, ${attributes} } }
patterns:
  1: { name: One, read: Thing, where: { ${where} }, rps: 1 }
${design}`);
  const model = withoutDesign(read);
  return blobsOf(model, model.entities.get("Thing") as Entity);
}

test("what makes an item too large goes elsewhere, the largest first and no more than has to", () => {
  expect(blobs("photo: { type: B, bytes: 300 KB }, text: { type: S, bytes: 90 KB }")).toEqual([]);
  expect(blobs("photo: { type: B, bytes: 390 KB }, text: { type: S, bytes: 90 KB }")).toEqual([
    { attribute: "photo", service: "S3" },
  ]);
  expect(blobs("a: { type: B, bytes: 500 KB }, b: { type: B, bytes: 600 KB }")).toEqual([
    { attribute: "b", service: "S3" },
    { attribute: "a", service: "S3" },
  ]);
});

test("the attribute that says where it is is found by its name", () => {
  expect(blobs("photo: { type: B, bytes: 1 MB }, photoKey: { type: S, bytes: 60 }")).toEqual([
    { attribute: "photo", service: "S3", pointer: "photoKey" },
  ]);
});

test("what is asked about stays", () => {
  const large = "text: { type: S, bytes: 401 KB }, photo: { type: B, bytes: 200 KB }";
  expect(blobs(large, "text: contains")).toEqual([{ attribute: "photo", service: "S3" }]);
});

test("what lies elsewhere stays there, and leaves room for others", () => {
  const design = `design:
  tables:
    Things: { key: { id: S }, entities: { Thing: { key: { id: "{id}" }, elsewhere: [{ attribute: note, service: Azure, pointer: at }] } } }
`;
  const attributes =
    "note: { type: S, bytes: 90 KB }, photo: { type: B, bytes: 390 KB }, at: { type: S, bytes: 9 }";
  const note = { attribute: "note", service: "Azure", pointer: "at" };
  expect(blobs(attributes, "id: equals", design)).toEqual([note]);
  expect(blobs(attributes.replace("390", "900"), "id: equals", design)).toEqual([
    note,
    { attribute: "photo", service: "S3" },
  ]);
  expect(blobs(attributes)).toEqual([{ attribute: "photo", service: "S3" }]);
});

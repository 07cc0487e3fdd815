import type { Schema } from "../document/schema.ts";
import { list, shape, text } from "./schema-build.ts";
import { designSchema } from "./schema-design.ts";
import { partSchemas } from "./schema-parts.ts";
import { requirementSchemas } from "./schema-requirements.ts";

/** What a model document may say. */
export const modelSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Keywright model",
  ...shape(
    "A data model for DynamoDB: what is asked of it, and the tables that answer.",
    ["keywright", "name", "entities"],
    {
      keywright: { const: 1, description: "The version of this format.", examples: [1] },
      name: {
        type: "string",
        pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
        maxLength: 100,
        description: "What the model is called.",
        examples: ["online-shop"],
      },
      ...requirementSchemas,
      design: designSchema,
      ignore: list(
        "Rules that are not to be followed, and why.",
        shape(
          "One of them.",
          ["rule", "reason"],
          {
            rule: text("The id of the rule.", "low-cardinality-key"),
            on: text("The part that it is about; everything unless said.", "design.tables.Shop"),
            reason: text("Why not.", "there are only ten writes a day"),
          },
          { rule: "low-cardinality-key", reason: "there are only ten writes a day" },
        ),
        [{ rule: "low-cardinality-key", reason: "there are only ten writes a day" }],
        0,
      ),
    },
    {
      keywright: 1,
      name: "notes",
      entities: { Note: { id: ["noteId"], attributes: { noteId: { type: "S", format: "ulid" } } } },
    },
  ),
  $defs: partSchemas,
};

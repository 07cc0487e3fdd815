import type { Model } from "../../model/model.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import {
  assumptionsSection,
  fitSection,
  questionsSection,
  requirementChecklist,
} from "./checklist.ts";
import { costSection } from "./design-cost.ts";
import { decisionsSection } from "./design-decisions.ts";
import { heatSection } from "./design-heat.ts";
import { indexSection } from "./design-index.ts";
import { integrationsSection, operationsSection } from "./design-integrations.ts";
import { mappingSection, prefixSection } from "./design-mapping.ts";
import { monitoringSection, securitySection } from "./design-security.ts";
import { summarySection } from "./design-summary.ts";
import { tableSection } from "./design-table.ts";
import { validationSection } from "./design-validation.ts";
import { type Block, emphasis, heading, markdownOf, paragraph } from "./markdown.ts";
import { Material, type Measured } from "./material.ts";
import { type Pictures, picturesOf } from "./pictures.ts";
import { considerationsSection, crossPatternSection } from "./requirement-analysis.ts";
import { entitiesSection } from "./requirement-entities.ts";
import { overviewSection } from "./requirement-overview.ts";
import { patternsSection, workflowsSection } from "./requirement-patterns.ts";

export const requirementFile = "dynamodb_requirement.md";
export const dataModelFile = "dynamodb_data_model.md";

/** The documents of a model: what is asked for, and how it is met. Without a design there is the first alone. */
export function documentFiles(model: Model, measured: Measured): readonly OutputFile[] {
  const material = new Material(model, measured);
  const requirement = { path: requirementFile, text: markdownOf(requirementBlocks(material)) };
  if (model.design === undefined) return [requirement];
  const pictures = picturesOf(material);
  return [
    requirement,
    { path: dataModelFile, text: markdownOf(dataModelBlocks(material, pictures)) },
    ...pictures.files,
  ];
}

function head(title: string, { model }: Material): readonly Block[] {
  return [heading(1, `${title}: ${model.name}`), paragraph(emphasis(generatedFrom(model.name)))];
}

function requirementBlocks(material: Material): readonly Block[] {
  return [
    ...head("DynamoDB requirements", material),
    ...overviewSection(material),
    ...entitiesSection(material),
    ...patternsSection(material),
    ...workflowsSection(material),
    ...considerationsSection(material),
    ...crossPatternSection(material),
    ...fitSection(material),
    ...requirementChecklist(material),
    ...assumptionsSection(material),
    ...questionsSection(material),
  ];
}

function dataModelBlocks(material: Material, pictures: Pictures): readonly Block[] {
  return [
    ...head("DynamoDB data model", material),
    ...summarySection(material),
    heading(2, "Table designs"),
    ...material.tables.flatMap((table) => [
      ...tableSection(material, table, pictures.of(table, undefined)),
      ...[...table.indexes.values()].flatMap((index) =>
        indexSection(material, table, index, pictures.of(table, index)),
      ),
    ]),
    ...prefixSection(material),
    ...mappingSection(material),
    ...heatSection(material),
    ...costSection(material, pictures.cost),
    ...decisionsSection(material),
    ...integrationsSection(material),
    ...operationsSection(material),
    ...securitySection(material),
    ...monitoringSection(material),
    ...validationSection(material),
    ...questionsSection(material),
  ];
}

import { counted, listText } from "../../lint/words.ts";
import { type Check, Findings, notApplicable } from "../check.ts";
import { type CheckContext, patternName } from "../check-context.ts";

export const crossReferences: Check = {
  id: "cross-references",
  title: "Requirements and design speak of the same things",
  run(context) {
    const { design } = context;
    const findings = new Findings();
    workflows(context, findings);
    if (design === undefined) {
      // What the requirements say of each other is known without a design.
      const outcome = findings.outcome();
      return outcome.points.length > 0 ? outcome : notApplicable("There is no design yet.");
    }
    entities(context, findings);
    for (const [i, { name, for: ids }] of design.services.entries()) {
      for (const [j, id] of ids.entries()) {
        const pattern = context.model.patterns.get(id);
        if (pattern === undefined || pattern.alternative?.service === name) continue;
        findings.wrong(
          ["design", "services", i, "for", j],
          `${name} is said to serve ${patternName(pattern).replace("P", "p")}, whose status is ${pattern.status ?? "not stated"}${pattern.alternative === undefined ? "" : ` by ${pattern.alternative.service}`}.`,
        );
      }
    }
    for (const { status, alternative, path } of context.wanted) {
      const service = alternative?.service;
      if (status !== "alternative" || service === undefined) continue;
      if (!design.services.some(({ name }) => name === service)) {
        findings.wrong(path, `${service} is no service of the design. (design.services)`);
      }
    }
    for (const [i, { about }] of design.decisions.entries()) {
      if (!isThere(context.model.document, about)) {
        findings.wrong(
          ["design", "decisions", i, "about"],
          `The decision is about ${about}, which is not in the document.`,
        );
      }
    }
    caches(context, findings);
    findings.saw(
      `${counted(context.entities.length, "entity", "entities")}, ${counted(design.services.length, "service")}, ${counted(context.model.workflows.size, "workflow")} and ${counted(design.decisions.length, "decision")} were held against each other.`,
    );
    return findings.outcome();
  },
};

function workflows(context: CheckContext, findings: Findings): void {
  for (const { name, path, steps } of context.model.workflows.values()) {
    for (const [i, id] of steps.entries()) {
      if (context.model.patterns.get(id)?.status !== "declined") continue;
      findings.wrong(
        [...path, "steps", i],
        `Workflow ${name} needs pattern ${id}, which is declined.`,
      );
    }
  }
}

/** Entities that patterns use lie somewhere, with all that is asked of them. */
function entities(context: CheckContext, findings: Findings): void {
  const used = new Map<string, Set<string>>();
  for (const { actions, together } of context.served) {
    for (const { entity, returns, where } of [...actions, ...together]) {
      const names = used.get(entity) ?? new Set<string>();
      used.set(entity, names);
      for (const name of [...returns, ...where.map(({ attribute }) => attribute)]) names.add(name);
    }
  }
  for (const [name, asked] of used) {
    const entity = context.model.entities.get(name);
    if (entity === undefined) continue;
    const records = context.facts.records.filter((one) => one.entity === entity);
    if (records.length === 0) {
      if (context.facts.hostsOf(name).length === 0) {
        findings.wrong(entity.path, `Patterns use ${name}, but it is in no table.`);
      }
      continue;
    }
    const held = new Set(
      records.flatMap(({ attributes, key }) => [
        ...attributes.flatMap(({ content }) =>
          content.kind === "attribute"
            ? [content.attribute.name]
            : content.kind === "key"
              ? content.text.segments.flatMap((one) =>
                  one.kind === "attribute" ? [one.attribute] : [],
                )
              : [],
        ),
        ...key.flatMap(({ text }) => (text.native === undefined ? [] : [text.native])),
      ]),
    );
    const out = new Set(
      context.tables.flatMap(({ placements }) =>
        (placements.get(name)?.elsewhere ?? []).map(({ attribute }) => attribute),
      ),
    );
    const missing = [...asked].filter((one) => !held.has(one) && !out.has(one));
    if (missing.length > 0) {
      findings.wrong(
        entity.path,
        `Patterns ask for ${listText(missing)} of ${name}, which no table stores.`,
      );
    }
  }
}

/** Strong reads and writes go past a cache. */
function caches(context: CheckContext, findings: Findings): void {
  for (const { dax, path, name } of context.tables) {
    for (const [i, id] of (dax?.patterns ?? []).entries()) {
      const pattern = context.model.patterns.get(id);
      if (pattern === undefined) continue;
      const isRead = context.reads(pattern).some(({ table }) => table.name === name);
      if (!isRead) {
        findings.wrong(
          [...path, "dax", "patterns", i],
          `The cache of ${name} is for pattern ${id}, which does not read ${name}.`,
        );
      }
    }
  }
}

/** Whether a path leads to something. Names may have dots; positions are written `[0]` or `.0`. */
function isThere(value: unknown, path: string): boolean {
  if (path === "") return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => {
    const steps = Array.isArray(value) ? [`[${name}]`, name] : [name];
    const step = steps.find((one) => path.startsWith(one));
    if (step === undefined) return false;
    const rest = path.slice(step.length);
    return rest === "" || rest.startsWith("[")
      ? isThere(inner, rest)
      : rest.startsWith(".") && isThere(inner, rest.slice(1));
  });
}

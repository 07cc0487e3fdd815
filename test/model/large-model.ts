/** A model of any size, the same every time: entities in a chain, four patterns and more for each. */
export function largeModel(entities: number, patterns: number): string {
  const lines = ["keywright: 1", "name: large", "overview: { domain: tests }", "entities:"];
  for (let i = 0; i < entities; i += 1) lines.push(...entityLines(i));
  lines.push("relations:");
  for (let i = 1; i < entities; i += 1) {
    lines.push(
      `  - { from: Entity${i - 1}, to: Entity${i}, kind: one-to-many, average: ${1 + (i % 7)}, max: ${10 * i + 100} }`,
    );
  }
  lines.push("patterns:");
  for (let i = 0; i < patterns; i += 1) lines.push(patternLine(i, i % entities));
  lines.push("workflows:");
  for (let i = 0; i + 3 < patterns; i += 10) {
    lines.push(`  flow${i}: { steps: [${i}, ${i + 1}, ${i + 2}], rps: { average: 1, peak: 5 } }`);
  }
  lines.push("design:", "  tables:");
  for (let i = 0; i < entities; i += 5) lines.push(...tableLines(i, Math.min(entities, i + 5)));
  return `${lines.join("\n")}\n`;
}

function entityLines(i: number): string[] {
  const optional = Array.from(
    { length: 6 },
    (_, j) =>
      `      detail${j}: { type: S, bytes: { min: ${j}, max: ${20 * (j + 1)} }, present: 0.5 }`,
  );
  return [
    `  Entity${i}:`,
    `    description: the ${i}th kind of thing`,
    `    id: [id${i}]`,
    `    count: ${1_000 * (i + 1)}`,
    "    attributes:",
    `      id${i}: { type: S, format: ulid }`,
    "      parentId: { type: S, format: ulid, mutable: false }",
    "      status: { type: S, values: { open: 0.1, done: 0.9 } }",
    "      createdAt: { type: S, format: iso-time, mutable: false }",
    "      total: { type: N, digits: 7 }",
    ...optional,
  ];
}

function patternLine(i: number, entity: number): string {
  const head = `  ${i}: { name: Pattern ${i},`;
  const id = `id${entity}: equals`;
  const tail = `rps: { average: ${1 + (i % 50)}, peak: ${10 * (1 + (i % 50))} }, status: solved }`;
  const what = [
    `read: Entity${entity}, where: { ${id} }, latency: 20ms,`,
    `create: Entity${entity}, condition: absent,`,
    `read: Entity${entity}, where: { parentId: equals, createdAt: { between: [$from, $to] } }, order: { createdAt: descending }, limit: 20, returns: [id${entity}, total],`,
    `update: Entity${entity}, where: { ${id} }, changes: [status, detail1], adds: { total: 1 }, condition: { status: { equals: open } },`,
    `delete: Entity${entity}, where: { ${id} },`,
  ];
  return `${head} ${what[Math.floor(i / 50) % what.length]} ${tail}`;
}

function tableLines(from: number, to: number): string[] {
  const each = Array.from({ length: to - from }, (_, j) => from + j);
  return [
    `    Table${from}:`,
    "      key: { PK: S, SK: S }",
    "      entities:",
    ...each.map((i) => `        Entity${i}: { key: { PK: "E${i}#{id${i}}", SK: "ENTITY${i}" } }`),
    "      indexes:",
    "        ByParent:",
    "          key: { partition: GSI1PK, sort: GSI1SK }",
    "          sets:",
    ...each.map(
      (i) =>
        `            Entity${i}: { GSI1PK: "P#{parentId}", GSI1SK: "E${i}#{createdAt}#{id${i}}" }`,
    ),
    "        ByStatus:",
    "          key: { partition: [status], sort: [createdAt] }",
    "          projection: keys",
    "      stream: new-image",
    "      pitr: true",
  ];
}

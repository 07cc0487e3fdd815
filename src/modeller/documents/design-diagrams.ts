import type { Table } from "../../model/design.ts";
import type { Material } from "./material.ts";
import { type FlowEdge, type FlowGroup, type FlowNode, flowchart } from "./mermaid.ts";

const shownMax = 20;

/** The kinds of items of a table, the indexes that they are in, and who follows its stream. */
export function tableDiagram({ facts }: Material, table: Table): string {
  const records = facts.records.filter((one) => one.table === table).slice(0, shownMax);
  const indexes = [...table.indexes.values()];
  const items: FlowGroup = {
    id: "items",
    title: table.name,
    nodes: records.map(({ name, key }, i) => ({
      id: `i${i}`,
      lines: [name, ...key.map(({ attribute, text }) => `${attribute} = ${text.text}`)],
      shape: "box",
    })),
  };
  const edges: FlowEdge[] = [];
  const groups = indexes.map((index, x): FlowGroup => {
    const members = records.flatMap((record, i) => {
      const membership = record.memberships.find((one) => one.index === index);
      return membership === undefined ? [] : [{ record, membership, i }];
    });
    const nodes = members.map(({ record, membership, i }): FlowNode => {
      const id = `x${x}e${i}`;
      const isSparse = membership.only.length > 0 || membership.optional.length > 0;
      edges.push({ from: `i${i}`, to: id, text: isSparse ? "some" : undefined });
      return {
        id,
        lines: [
          record.name,
          ...[...membership.partition, ...membership.sort].map(
            ({ attribute, text }) => `${attribute.name} = ${text.text}`,
          ),
        ],
        shape: "box",
      };
    });
    return { id: `x${x}`, title: `index ${index.name}`, nodes };
  });
  const consumers = table.consumers.map(
    ({ name }, i): FlowNode => ({ id: `c${i}`, lines: [name], shape: "round" }),
  );
  for (const { id } of consumers) edges.push({ from: "items", to: id, text: "stream" });
  return flowchart(
    [
      ...(items.nodes.length === 0
        ? [{ id: "items", lines: [table.name], shape: "store" } as const]
        : [items]),
      ...groups.filter(({ nodes }) => nodes.length > 0),
      ...consumers,
    ],
    edges,
  );
}

/** Tables, what follows their streams, what is cached, and services that answer instead. */
export function integrationDiagram({ model, tables }: Material): string | undefined {
  const services = new Map<string, FlowNode>();
  const service = (name: string): FlowNode => {
    const known = services.get(name) ?? {
      id: `s${services.size}`,
      lines: [name],
      shape: "round",
    };
    services.set(name, known);
    return known;
  };
  const nodes: FlowNode[] = [];
  const edges: FlowEdge[] = [];
  for (const [t, table] of tables.entries()) {
    const isFollowed = table.consumers.length > 0 || table.dax !== undefined;
    if (isFollowed) nodes.push({ id: `t${t}`, lines: [table.name], shape: "store" });
    for (const [c, { name, purpose }] of table.consumers.entries()) {
      const id = `t${t}c${c}`;
      nodes.push({ id, lines: [name, ...(purpose === undefined ? [] : [purpose])], shape: "box" });
      edges.push({ from: `t${t}`, to: id, text: "stream" });
    }
    if (table.dax !== undefined) {
      nodes.push({ id: `t${t}d`, lines: ["DAX", table.dax.node], shape: "round" });
      edges.push({ from: `t${t}`, to: `t${t}d`, text: "cached reads" });
    }
  }
  for (const { name, for: patterns } of model.design?.services ?? []) {
    const { id } = service(name);
    for (const pattern of patterns) {
      const node = `p${edges.length}`;
      nodes.push({
        id: node,
        lines: [`#${pattern} ${model.patterns.get(pattern)?.name ?? ""}`],
        shape: "box",
      });
      edges.push({ from: node, to: id, text: "asks" });
    }
  }
  if (edges.length === 0) return undefined;
  return flowchart([...nodes, ...services.values()], edges);
}

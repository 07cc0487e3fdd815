// Simulated requests per second: node scripts/run-ts.mjs bench/simulate.ts [--record]
import { readFileSync, writeFileSync } from "node:fs";
import { simulate } from "../src/workbench/simulate.ts";
import { parseWorkload } from "../src/workbench/simulate-parse.ts";
import { machine } from "./record.ts";
import { figure, renderTable, replaceSection } from "./table.ts";

const document = "docs/capacity.md";
const rounds = 5;

const plain = `
duration: 10m
table: { name: T, partitionKey: id, billing: on-demand }
traffic:
  - { operation: put, size: 500 B, rate: 3500, key: { uniform: 1000000 } }
`;

const indexed = `
duration: 10m
table:
  name: T
  partitionKey: id
  sortKey: at
  billing: provisioned
  throughput: { read: 6000, write: 6000 }
  autoScaling: { write: { min: 1000, max: 20000 } }
  indexes:
    byStatus: { kind: global, partitionKey: status, throughput: { read: 100, write: 6000 } }
    byOwner: { kind: global, partitionKey: owner, throughput: { read: 100, write: 3000 } }
traffic:
  - operation: put
    size: 500 B
    rate: 2500
    arrivals: poisson
    key: { zipf: { count: 100000 } }
    sort: { rising: true }
    indexes:
      byStatus: { change: insert, size: 200 B, key: { uniform: 1000 } }
      byOwner: none
  - { operation: query, size: 500 B, items: 10, rate: 1500, key: { zipf: { count: 100000 } } }
`;

const example = (name: string): string => readFileSync(`examples/workloads/${name}.yaml`, "utf8");

const workloads: readonly (readonly [string, string])[] = [
  ["writes to a million keys, on demand", plain],
  ["Zipf keys with an index, queries, auto scaling, random arrivals", indexed],
  ["examples/workloads/voting.yaml (throttled)", example("voting")],
  ["examples/workloads/viral-post-sharded.yaml", example("viral-post-sharded")],
];

function measure(text: string): { readonly requests: number; readonly millions: number } {
  const workload = parseWorkload(text, "workload");
  const figures: number[] = [];
  let requests = 0;
  for (let round = 0; round < rounds; round += 1) {
    // CPU time of this one thread: others on the machine do not count.
    const before = process.cpuUsage();
    ({ requests } = simulate({ ...workload, seed: round + 1 }));
    const { user, system } = process.cpuUsage(before);
    figures.push(requests / (user + system));
  }
  figures.sort((a, b) => a - b);
  return { requests, millions: figures[rounds >> 1] ?? 0 };
}

const rows = workloads.map(([name, text]) => {
  const { requests, millions } = measure(text);
  return [name, requests.toLocaleString("en"), figure(millions)];
});
const table = renderTable(["workload", "requests", "million per CPU second"], rows);
process.stdout.write(`${machine()}\n\n${table}\n`);
if (process.argv.includes("--record")) {
  const day = new Date().toISOString().slice(0, 10);
  const section = `Measured on ${day}, the median of ${rounds} runs: ${machine()}.\n\n${table}`;
  writeFileSync(document, replaceSection(readFileSync(document, "utf8"), "simulate", section));
}

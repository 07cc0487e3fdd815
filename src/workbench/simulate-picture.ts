import { picture } from "../capacity/picture.ts";
import type { Simulation } from "./simulate.ts";
import { verdictText } from "./simulate-text.ts";

/** A simulation as an SVG picture. */
export function capacityPicture(simulation: Simulation): string {
  const { workload, history } = simulation;
  const verdict = verdictText(simulation);
  return picture({
    title: workload.title,
    verdict: verdict.charAt(0).toUpperCase() + verdict.slice(1),
    table: workload.table.name,
    seconds: (history.steps * history.stepMs) / 1_000,
    steps: history.steps,
    resources: history.resources,
    caption: (index, id) => captionOf(simulation, index, id),
  });
}

/** A key with at least this share of a partition's requests is named. */
const notablePercent = 40;

function captionOf(
  { throughput }: Simulation,
  index: string | undefined,
  id: number,
): string | undefined {
  const resource = throughput.resources.find((one) => one.index === index);
  const keys = resource?.partitions.find((one) => one.id === id)?.keys ?? [];
  const named = keys.filter(({ percent }) => percent >= notablePercent);
  if (named.length === 0) return undefined;
  return named.map(({ key, percent }) => `${key} ${percent} %`).join(", ");
}

import type { FlowHistory, ResourceHistory } from "../capacity/history.ts";
import { type PictureOptions, picture, pictures } from "../capacity/picture.ts";
import type { Simulation } from "./simulate.ts";
import { verdictText } from "./simulate-text.ts";

/** A simulation as an SVG picture. */
export function capacityPicture(simulation: Simulation): string {
  return picture(pictureOptions(simulation));
}

/** Several simulations in one picture. */
export function capacityPictures(
  title: string,
  verdict: string,
  simulations: readonly Simulation[],
): string {
  return pictures(title, verdict, simulations.map(pictureOptions));
}

function pictureOptions(simulation: Simulation): PictureOptions {
  const { workload, history } = simulation;
  const verdict = verdictText(simulation);
  return {
    title: workload.title,
    verdict: verdict.charAt(0).toUpperCase() + verdict.slice(1),
    table: workload.table.name,
    seconds: (history.steps * history.stepMs) / 1_000,
    steps: history.steps,
    resources: history.resources.map((resource) => unscaled(resource, workload.scale ?? 1)),
    caption: (index, id) => captionOf(simulation, index, id),
  };
}

/** As without a scale: the lines of the limits are, too. */
function unscaled(resource: ResourceHistory, scale: number): ResourceHistory {
  if (scale === 1) return resource;
  const flow = <T extends FlowHistory>(one: T): T => ({
    ...one,
    consumed: one.consumed.map((units) => units / scale),
    throttled: one.throttled.map((units) => units / scale),
  });
  return {
    ...resource,
    read: flow(resource.read),
    write: flow(resource.write),
    lanes: resource.lanes.map((lane) => ({
      ...lane,
      read: flow(lane.read),
      write: flow(lane.write),
    })),
  };
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

import type { DesignDocument, TableDocument } from "../../model/document-design.ts";
import type { Model } from "../../model/model.ts";
import { heldBy } from "./kept.ts";

/** What a design says of the services beside DynamoDB: which they are, and the streams that feed them. */

type Services = NonNullable<DesignDocument["services"]>;

/** The services that tables keep attributes in, and those that serve patterns instead of DynamoDB. */
export function servicesOf(model: Model, tables: readonly TableDocument[]): Services {
  const offloaded = offloadServices(tables);
  const names = new Set(offloaded.map(({ name }) => name));
  const serving = servingServices(model);
  return [
    ...offloaded.map((one) => ({
      ...one,
      ...serving.filter(({ name }) => name === one.name).map(({ for: ids }) => ({ for: ids }))[0],
    })),
    ...serving.filter(({ name }) => !names.has(name)),
  ];
}

function offloadServices(tables: readonly TableDocument[]): Services {
  const offloaded = new Map<string, string[]>();
  for (const table of tables) {
    for (const [name, { elsewhere = [] }] of Object.entries(table.entities ?? {})) {
      for (const { attribute, service } of elsewhere) {
        offloaded.set(service, [...(offloaded.get(service) ?? []), `${name}.${attribute}`]);
      }
    }
  }
  return [...offloaded].map(([name, attributes]) => ({
    name,
    via: "the application writes it before the item, and keeps its key",
    why: `${attributes.join(", ")} would make items larger than 400 KB`,
  }));
}

function servingServices(model: Model): Services {
  const services = new Map<string, Services[number] & { readonly for: readonly string[] }>();
  for (const { id, status, alternative } of model.patterns.values()) {
    if (status !== "alternative" || alternative === undefined) continue;
    const { service, via, why } = alternative;
    const known = services.get(service);
    const way = known?.via ?? via;
    services.set(service, {
      name: service,
      for: [...(known?.for ?? []), id],
      ...(way !== undefined && { via: way }),
      why: known?.why ?? why,
    });
  }
  return [...services.values()];
}

/** The tables with streams for the services that a stream feeds, each with its consumer. */
export function withServiceStreams(
  model: Model,
  tables: readonly (readonly [string, TableDocument])[],
): readonly (readonly [string, TableDocument])[] {
  const fed = new Map<string, Set<string>>();
  const shared = new Map(servingServices(model).map(({ name, via }) => [name, via]));
  for (const { status, alternative, actions, together } of model.patterns.values()) {
    if (status !== "alternative" || alternative === undefined) continue;
    const { service } = alternative;
    // A pattern that states no way shares that of the other patterns of the service.
    const via = alternative.via ?? shared.get(service) ?? "";
    if (!/stream/i.test(via)) continue;
    for (const { entity } of [...actions, ...together]) {
      fed.set(entity, (fed.get(entity) ?? new Set<string>()).add(service));
    }
  }
  if (fed.size === 0) return tables;
  return tables.map(([name, table]) => {
    const entities = new Set([...heldBy(table), ...embeddedIn(table)]);
    const services = [...entities].flatMap((entity) => [...(fed.get(entity) ?? [])]);
    const known = new Set((table.consumers ?? []).map((one) => one.name));
    const consumers = [...new Set(services)]
      .filter((service) => !known.has(consumerName(service)))
      .map((service) => ({
        name: consumerName(service),
        purpose: `feeds ${service}`,
      }));
    if (consumers.length === 0) return [name, table];
    return [
      name,
      {
        ...table,
        // A service that indexes items needs both images: it removes what an item no longer has.
        stream: "new-and-old-images",
        consumers: [...(table.consumers ?? []), ...consumers],
      },
    ];
  });
}

function embeddedIn({ entities = {} }: TableDocument): readonly string[] {
  return Object.values(entities).flatMap(({ embeds = [] }) => embeds.map(({ entity }) => entity));
}

/** `OpenSearch` is fed by `feed-opensearch`: a name that Lambda takes. */
function consumerName(service: string): string {
  const plain = service.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `feed-${plain}`.replace(/-$/, "");
}

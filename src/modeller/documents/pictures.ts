import type { Index, Table } from "../../model/design.ts";
import { costPicture } from "../cost/picture.ts";
import { Identifiers } from "../output/identifiers.ts";
import { generatedFrom, type OutputFile } from "../output/output-file.ts";
import { structureName } from "../plans/plan.ts";
import { collectionPicture } from "./collection-picture.ts";
import { collectionsOf } from "./collection-rows.ts";
import type { Material } from "./material.ts";

const folder = "pictures";

/** The pictures that lie beside the documents. */
export interface Pictures {
  readonly files: readonly OutputFile[];
  /** Where the picture of a table or an index is; nothing if there is nothing to see. */
  readonly of: (table: Table, index: Index | undefined) => string | undefined;
  readonly cost: string | undefined;
}

export function picturesOf(material: Material): Pictures {
  const { model, tables, facts, sample, cost } = material;
  const names = new Identifiers("snake", ["cost"]);
  const files: OutputFile[] = [];
  const paths = new Map<Table, Map<Index | undefined, string>>();
  const add = (name: string, svg: string): string => {
    const path = `${folder}/${name}.svg`;
    files.push({ path, text: withHead(svg, model.name) });
    return path;
  };
  for (const table of tables) {
    const own = new Map<Index | undefined, string>();
    for (const index of [undefined, ...table.indexes.values()]) {
      const name = names.of(table.name, ...(index === undefined ? [] : [index.name]));
      const { collections, hidden } = collectionsOf(facts, sample.items, table, index);
      if (collections.length === 0) continue;
      const { partition, sort } = index ?? { partition: [table.partition], sort: [table.sort] };
      const svg = collectionPicture({
        title: `${index === undefined ? "Table" : "Index"} ${structureName(table, index)}`,
        partition: partition.map((one) => one.name).join(" · "),
        sort: sort.flatMap((one) => one?.name ?? []).join(" · ") || undefined,
        collections,
        hidden,
      });
      own.set(index, add(name, svg));
    }
    paths.set(table, own);
  }
  const bill = cost === undefined ? undefined : add("cost", costPicture(cost));
  return { files, of: (table, index) => paths.get(table)?.get(index), cost: bill };
}

/** A comment cannot hold two dashes. */
function withHead(svg: string, model: string): string {
  return `<!-- ${generatedFrom(model).replaceAll("--", "- -")} -->\n${svg}`;
}

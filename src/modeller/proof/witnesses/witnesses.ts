import { readsIn } from "../mutants/mutant.ts";
import type { WitnessContext } from "./context.ts";
import { pageWitnesses } from "./page-witnesses.ts";
import { raceWitnesses } from "./race-witnesses.ts";
import {
  directionWitnesses,
  filterWitnesses,
  keyWitnesses,
  limitWitnesses,
  shardWitnesses,
  storedWitnesses,
  togetherWitnesses,
  valuesWitnesses,
} from "./read-witnesses.ts";
import { type Construction, impossible, type MutantOperator, witnesses } from "./witness.ts";
import { whySame } from "./write-reasons.ts";

/** The construction for one kind of mistake: data and inputs that tell it from what is right, or why there are none. */
export function constructWitnesses(
  context: WitnessContext,
  operator: MutantOperator,
): Construction {
  const { plan } = context.job;
  if (plan.pattern.kind === "write") {
    const reason = whySame(context, operator);
    return reason === undefined ? witnesses(raceWitnesses(context)) : impossible(reason);
  }
  const reads = readsIn(plan);
  switch (operator.kind) {
    case "filter": {
      const filtering = reads.filter(({ filter }) =>
        filter.some(({ attribute }) => attribute === operator.attribute),
      );
      return filterWitnesses(context, operator.attribute, [
        ...new Set(filtering.map(({ part }) => part)),
      ]);
    }
    case "direction":
      return directionWitnesses(context);
    case "limit":
      return limitWitnesses(context);
    case "page":
      return pageWitnesses(context);
    case "shard":
      return shardWitnesses(context);
    case "values":
      return valuesWitnesses(context);
    case "stored":
    case "projection":
      return storedWitnesses(context, operator.part, operator.attribute);
    case "key":
      return keyWitnesses(context, operator.entity, operator.attributes);
    case "together":
      return togetherWitnesses(context);
    default:
      return witnesses([]);
  }
}

import { textSize } from "../../item/size.ts";
import type { Attribute } from "../../model/requirements.ts";
import { ByteDistribution } from "../sizes/distribution.ts";

/** About how many bytes an attribute has in an item, with its name. */
export function attributeMean({ name, size, elements, values, present }: Attribute): number {
  if (size === undefined) return 0;
  const one = ByteDistribution.stated(size.distribution).mean;
  const times = elements === undefined || values !== undefined ? 1 : elements.average.value;
  return (textSize(name) + one * times) * present.value;
}

import type { Edit } from "../../document/edit.ts";
import { nearest } from "../../document/nearest.ts";
import type { Model } from "../../model/model.ts";
import { withPattern } from "../lint/what-if.ts";

/** A rate that is tried: `7.rps.average=500`, or `P7.rps.avg=500`. Answers with a sentence if it says nothing. */
export function rateChange(
  model: Model,
  text: string,
): { readonly model: Model; readonly edit: Edit; readonly words: string } | string {
  const found = /^(.+)\.rps\.(average|avg|peak)=([0-9][0-9_]*(?:\.[0-9]+)?)$/.exec(text);
  if (found === null) {
    return `'${text}' is not a change that can be tried; write PATTERN.rps.average=NUMBER or PATTERN.rps.peak=NUMBER.`;
  }
  const [, name = "", member, number = ""] = found;
  const pattern = model.patterns.get(name) ?? model.patterns.get(name.replace(/^P/, ""));
  if (pattern === undefined) {
    const near = nearest(name, [...model.patterns.keys()]);
    return `There is no pattern '${name}'.${near === undefined ? "" : ` Did you mean '${near}'?`}`;
  }
  const which = member === "peak" ? "peak" : "average";
  const value = Number(number.replaceAll("_", ""));
  const given = { value, assumed: false };
  const rps = { ...pattern.rps, [which]: given };
  const plain = (one: typeof rps.peak) => one && (one.assumed ? { assumed: one.value } : one.value);
  const changed = {
    ...(rps.average !== undefined && { average: plain(rps.average) }),
    ...(rps.peak !== undefined && { peak: plain(rps.peak) }),
  };
  return {
    model: withPattern(model, { ...pattern, rps }),
    edit: { kind: "set", path: ["patterns", pattern.id, "rps"], value: changed },
    words: `pattern ${pattern.id} ${which === "peak" ? "peaks at" : "comes"} ${number} times a second`,
  };
}

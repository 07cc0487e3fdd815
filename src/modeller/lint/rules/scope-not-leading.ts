import type { KeyText } from "../../../model/key-text.ts";
import type { PlannedRequest } from "../../plans/plan.ts";
import { patternText, sourceText } from "../requests.ts";
import type { Rule } from "../rule.ts";
import { listText } from "../words.ts";

interface Place {
  readonly where: string;
  /** Others can be seen there, not only the one that is named. */
  readonly isList: boolean;
  readonly partition: readonly KeyText[];
}

export const scopeNotLeading: Rule = {
  id: "scope-not-leading",
  severity: "warning",
  title: "What a caller is bound to is not in the partition key, so rights cannot be bound to it.",
  topic: "access-scopes",
  *check({ plans }) {
    for (const { pattern, requests } of plans.values()) {
      if (pattern.scope.length === 0) continue;
      const outside = new Map<string, Place>();
      for (const place of requests.flatMap(placesOf)) {
        const held = place.partition.some(({ segments }) =>
          segments.some(
            (segment) => segment.kind === "attribute" && pattern.scope.includes(segment.attribute),
          ),
        );
        if (!held) outside.set(place.where, place);
      }
      const [first] = outside.values();
      if (first === undefined) continue;
      const key = first.partition.map(({ text }) => text).join(", ");
      yield {
        path: [...pattern.path, "scope"],
        severity: [...outside.values()].some(({ isList }) => isList) ? "warning" : "hint",
        message: `${patternText(pattern)} is bound to ${listText(pattern.scope)}, which is not in the partition key of ${listText([...outside.keys()])}.`,
        evidence: `The partition key of ${first.where} is '${key}'; the condition dynamodb:LeadingKeys of a policy sees nothing else.`,
        cure: `Begin the partition key with ${pattern.scope[0]}, or check in the code of this pattern that the item is the caller's.`,
      };
    }
  },
};

/** Where a request goes, for what the pattern itself names; guards and counters beside it are the design's. */
function placesOf(request: PlannedRequest): readonly Place[] {
  if (request.kind === "read") {
    const partition = request.partition.map(({ text }) => text);
    const isList = request.operation === "Query" || request.operation === "Scan";
    return [{ where: sourceText(request), isList, partition }];
  }
  return request.actions
    .filter(({ because }) => because === undefined)
    .map(({ record }) => ({
      where: `${record.name} in ${record.table.name}`,
      isList: false,
      partition: record.key.slice(0, 1).map(({ text }) => text),
    }));
}

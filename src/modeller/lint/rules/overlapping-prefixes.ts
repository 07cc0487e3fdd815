import { literalPrefix } from "../key-fit.ts";
import type { Rule } from "../rule.ts";
import { listText, numberText } from "../words.ts";

export const overlappingPrefixes: Rule = {
  id: "overlapping-prefixes",
  severity: "warning",
  title: "A query for one entity also reads items of another whose keys begin alike.",
  topic: "begins-with",
  *check({ queries }) {
    for (const { pattern, key, request } of queries) {
      const { expected, record } = request;
      const wanted = pattern.together.map(({ entity }) => entity);
      const beside = request.beside.filter(({ entity }) => !wanted.includes(entity.name));
      if (beside.length === 0 || key.sort.length === 0) continue;
      const counts = expected.evaluated
        .filter(({ count }) => count > 0)
        .map((one) => `${numberText(one.count)} ${one.record.name}`);
      const prefix = literalPrefix(key.sort);
      const others = listText(beside.map(({ name }) => name));
      yield {
        path: key.sort[0]?.path ?? key.path,
        message: `Pattern ${pattern.id} asks for ${record.name} and reads ${others} too.`,
        evidence: `${prefix === "" ? "Their sort keys begin with anything" : `All sort keys begin with '${prefix}'`}; on average one request reads ${listText(counts)}${expected.assumptions.length === 0 ? "" : " (partly assumed)"}.`,
        cure: `Begin the sort keys with words of which none begins with another, such as ${record.name.toUpperCase()}#.`,
      };
    }
  },
};

import { counted, listText, numberText, shareText } from "../../lint/words.ts";
import { type Criterion, type Instead, judged } from "./criterion.ts";
import { exceptionOf, type ReadShape, readShapes } from "./shape.ts";

/** Below this share of the reads by keys, DynamoDB would be the smaller part of the whole. */
const byKeyMin = 0.5;
const wideMin = 4;

/** The share of the rate; of the number of patterns if nobody knows rates. */
function shareOf(all: readonly ReadShape[], some: readonly ReadShape[]): number {
  const sum = (shapes: readonly ReadShape[]): number =>
    shapes.reduce((total, { peak }) => total + peak, 0);
  const total = sum(all);
  return total > 0 ? sum(some) / total : some.length / Math.max(1, all.length);
}

export const accessByKey: Criterion = {
  id: "access-by-key",
  title: "What is read is asked for by its key",
  judge(context) {
    const shapes = readShapes(context);
    if (shapes.length === 0) return judged("neutral", ["No pattern reads."]);
    const keyed = shapes.filter(({ instead }) => instead === undefined);
    const share = shareOf(shapes, keyed);
    const basis = context.design === undefined ? "Could be answered" : "Answered";
    const evidence = [
      `${basis} by keys: ${keyed.length} of ${counted(shapes.length, "read")}, with ${shareText(share)} of the rate at peak.`,
    ];
    const exceptions = shapes.flatMap(exceptionOf);
    if (share < byKeyMin) {
      const instead = new Set(exceptions.map((one) => one.instead));
      return judged("against", evidence, { exceptions, instead: [...instead] });
    }
    return judged(exceptions.length > 0 ? "exception" : "for", evidence, { exceptions });
  },
};

export const knownPatterns: Criterion = {
  id: "known-patterns",
  title: "The questions are known before the data is there",
  judge({ wanted }) {
    const open = wanted.filter(({ status }) => status === "open");
    const rated = wanted.filter(({ rps }) => rps.average !== undefined);
    const evidence = [
      `Stated: ${counted(wanted.length, "pattern")}, ${rated.length} with a rate; ${open.length} open.`,
    ];
    return judged(
      open.length === 0 && rated.length === wanted.length ? "for" : "neutral",
      evidence,
    );
  },
};

export const searchAndAnalytics: Criterion = {
  id: "search-and-analytics",
  title: "Search, reports and sums over everything are the smaller part",
  judge(context) {
    const shapes = readShapes(context);
    const kinds: readonly Instead[] = ["search engine", "analytics", "time-series database"];
    const found = kinds.flatMap((kind) => {
      const own = shapes.filter(({ instead }) => instead === kind);
      return own.length === 0 ? [] : [{ kind, own, share: shareOf(shapes, own) }];
    });
    if (found.length === 0) {
      return judged("neutral", ["No pattern searches texts, reports or adds up everything."]);
    }
    const evidence = found.map(({ kind, own, share }) =>
      `${counted(own.length, "pattern")} with ${shareText(share)} of the read rate at peak ${own.length === 1 ? "is" : "are"} for a ${kind}: ${listText(own.map(({ pattern }) => pattern.id))}.`.replace(
        "a analytics",
        "analytics",
      ),
    );
    const total = shareOf(
      shapes,
      found.flatMap(({ own }) => own),
    );
    if (total > 1 - byKeyMin) {
      return judged("against", evidence, { instead: found.map(({ kind }) => kind) });
    }
    return judged("exception", evidence);
  },
};

export const joins: Criterion = {
  id: "joins",
  title: "An answer comes from few requests",
  judge(context) {
    const shapes = readShapes(context).filter(({ pattern }) => pattern.status !== "alternative");
    if (shapes.length === 0) return judged("neutral", ["No pattern reads from DynamoDB."]);
    const wide = shapes.filter(({ width }) => width >= wideMin);
    const share = shareOf(shapes, wide);
    const mean = shapes.reduce((sum, { width }) => sum + width, 0) / shapes.length;
    const what =
      context.design === undefined ? "entities in one answer" : "requests for one answer";
    const evidence = [
      `There are ${numberText(mean)} ${what} on average; ${counted(wide.length, "pattern")} with ${shareText(share)} of the rate have ${wideMin} or more.`,
    ];
    const unbounded = context.model.relations.filter(
      ({ kind, via }) => kind === "many-to-many" && via === undefined,
    );
    if (unbounded.length > 0) {
      evidence.push(
        `${counted(unbounded.length, "many-to-many relation")} ${unbounded.length === 1 ? "has" : "have"} no entity of ${unbounded.length === 1 ? "its" : "their"} own.`,
      );
    }
    // Another design may need fewer requests; the entities of an answer stay the same.
    const joined = shapes.filter(({ entities }) => entities >= wideMin);
    if (shareOf(shapes, joined) >= byKeyMin) {
      const isGraph = context.model.relations.some(
        ({ from, to, kind }) => from === to && kind === "many-to-many",
      );
      return judged("against", evidence, {
        instead: [isGraph ? "graph database" : "relational database"],
      });
    }
    return judged(wide.length === 0 ? "for" : "neutral", evidence);
  },
};

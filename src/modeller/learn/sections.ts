import type { Block, Page } from "./page.ts";
import { requestText } from "./request-text.ts";
import { topics } from "./topics.ts";

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A page as headings with what is below them: what all its forms are made of. */
export function sectionsOf(page: Page): readonly Section[] {
  return [...ownSections(page), { title: "See also", blocks: [{ list: seeAlso(page) }] }];
}

function ownSections(page: Page): readonly Section[] {
  if ("example" in page) {
    return [
      { title: "When", blocks: [{ list: page.when }] },
      { title: "How", blocks: page.how },
      { title: "Pitfalls", blocks: [{ list: page.pitfalls }] },
      {
        title: "Example",
        blocks: [
          { code: page.example.model.trim() },
          ...page.example.requests.flatMap((request): Block[] => [
            `Pattern \`${request.pattern}\` is this request:`,
            { code: requestText(request) },
          ]),
        ],
      },
    ];
  }
  if ("what" in page) {
    return [
      { title: "What it is", blocks: page.what },
      { title: "What follows", blocks: page.follows },
    ];
  }
  if ("numbers" in page) return [{ title: "The numbers", blocks: page.numbers }];
  return [
    { title: "What is paid", blocks: page.paid },
    { title: "When it is worth it", blocks: page.worth },
  ];
}

function seeAlso({ see }: Page): readonly string[] {
  const { topics: pages, examples = [], rules = [] } = see;
  return [
    ...pages.map((id) => `\`${id}\`: ${topics.get(id)?.title}`),
    ...named("`keywright init --example`", examples),
    ...named("`keywright lint`", rules),
  ];
}

function named(what: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${what}: ${names.map((name) => `\`${name}\``).join(", ")}`];
}

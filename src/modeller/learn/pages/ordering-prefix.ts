import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "ordering-prefix",
  summary: "A character before a kind's sort key decides what comes first in a mixed collection.",
  when: [
    "One Query shall return the parent first and then its children, or the parent last with the newest children before it.",
  ],
  how: [
    "Bytes decide: `#` sorts before digits, digits before capitals, capitals before small letters. With `#REPO` and `ISSUE#…` a forward read returns the repository first. If you read backwards, the newest issues with the parent on top, the parent must sort last: `ISSUE#…` and `REPO` does that.",
  ],
  pitfalls: [
    "A limit cuts the answer: with the parent on top it is always there, at the other end it is lost.",
    "Two lists in one collection in different orders need the parent in the middle: `#ISSUE…` before and `STAR#…` behind `REPO`.",
    "Write down why the character is there; it looks like a slip.",
  ],
  example: {
    model: `
keywright: 1
name: issues
overview: { domain: developer tools, scale: { users: 30_000 } }
entities:
  Repo:
    id: [repo]
    count: 50_000
    attributes: { repo: { type: S, bytes: 24 }, about: { type: S, bytes: 120 } }
  Issue:
    id: [repo, issue]
    count: 1_000_000
    attributes:
      repo: { type: S, bytes: 24 }
      issue: { type: N, digits: 5 }
      title: { type: S, bytes: 80 }
relations:
  - from: Repo
    to: Issue
    kind: one-to-many
    average: 20
    max: 90_000
    identifying: true
patterns:
  page:
    name: A repository and its newest issues
    read: Repo
    where: { repo: equals }
    together: [{ entity: Issue, limit: 25, order: { issue: descending } }]
    rps: { average: 60, peak: 400 }
  report: { name: Report, create: Issue, condition: absent, rps: { average: 1, peak: 20 } }
  create: { name: Create, create: Repo, condition: absent, rps: { average: 0.1, peak: 2 } }
design:
  tables:
    Repos:
      purpose: repositories with their issues
      key: { repo: S, part: S }
      entities:
        Repo: { key: { repo: "{repo}", part: REPO } }
        Issue: { key: { repo: "{repo}", part: "ISSUE#{issue|pad:8}" } }
`,
    requests: [
      {
        pattern: "page",
        operation: "Query",
        input: {
          TableName: "Repos",
          KeyConditionExpression: "repo = :repo",
          ExpressionAttributeValues: { ":repo": { S: "acme/widgets" } },
          ScanIndexForward: false,
          Limit: 26,
        },
      },
    ],
  },
  see: {
    topics: ["item-collection", "sorting", "one-to-many"],
    examples: ["online-shop", "code-hosting", "learning"],
    rules: ["overlapping-prefixes", "unpadded-number"],
  },
};

import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "vertical-split",
  summary:
    "What changes often moves out of a large item into a small one under the same partition key.",
  when: [
    "A counter, a timestamp or a state changes far more often than the rest, and the rest is several KB.",
    "A large part is seldom read: details, preferences, a long text.",
  ],
  how: [
    "Two items, one partition key: `PROFILE` with the large part, `STATS` with the small. An update pays for its own item only: 1 unit instead of 10 for 10 KB. A Query still reads both.",
  ],
  pitfalls: [
    "If both are always read, two items cost two roundings by GetItem; read them by one Query.",
    "Changing both needs a transaction, at twice the price, or the consent that they differ for a moment.",
    "Below 1 KB there is nothing to gain: 1 unit is the least.",
  ],
  example: {
    model: `
keywright: 1
name: articles
overview: { domain: publishing, scale: { users: 500_000 } }
entities:
  Article:
    id: [articleId]
    count: 100_000
    attributes:
      articleId: { type: S, format: ulid }
      title: { type: S, bytes: 60 }
      body: { type: S, bytes: 9 KB }
      views: { type: N, digits: 6, counter: true }
patterns:
  read:
    name: An article
    read: Article
    where: { articleId: equals }
    returns: [articleId, title, body]
    rps: { average: 100, peak: 800 }
  view:
    name: Count a view
    update: Article
    where: { articleId: equals }
    adds: { views: 1 }
    rps: { average: 100, peak: 800 }
  write: { name: Publish, create: Article, condition: absent, rps: { average: 0.1, peak: 2 } }
  views:
    name: How often it is read
    read: Article
    where: { articleId: equals }
    returns: [articleId, views]
    rps: { average: 1, peak: 10 }
design:
  decisions:
    - about: design.tables.Articles.entities.Article.split
      chosen: the counter in an item of its own
      why: a view would write 10 KB
  tables:
    Articles:
      purpose: articles and how often they are read
      key: { articleId: S, part: S }
      entities:
        Article:
          key: { articleId: "{articleId}", part: ARTICLE }
          split:
            - name: stats
              key: { articleId: "{articleId}", part: STATS }
              attributes: [views]
  tradeoffs: [publishing writes two items]
`,
    requests: [
      {
        pattern: "view",
        operation: "UpdateItem",
        input: {
          TableName: "Articles",
          Key: { articleId: { S: "01JD" }, part: { S: "STATS" } },
          UpdateExpression: "ADD #views :one",
          ExpressionAttributeNames: { "#views": "views" },
          ExpressionAttributeValues: { ":one": { N: "1" } },
        },
      },
    ],
  },
  see: {
    topics: ["write-units", "item-size", "large-items", "embedding"],
    examples: ["online-shop", "game-leaderboard"],
    rules: ["big-item-small-update", "blob-in-item", "hot-counter"],
  },
};

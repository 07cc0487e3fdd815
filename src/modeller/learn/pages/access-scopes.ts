import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "access-scopes",
  summary:
    "If the partition key begins with the owner, IAM itself can keep callers to their own items.",
  what: [
    "The condition `dynamodb:LeadingKeys` in a policy compares the partition key of a request with a value of the caller, such as a user's or tenant's id. `dynamodb:Attributes` does the same with attribute names. Both work for requests that name the key; a Scan has no leading key and must be denied.",
  ],
  follows: [
    {
      list: [
        "State `scope` in the patterns: the attributes a caller is bound to. The key of the table or index that serves them should then begin with these.",
        "An index by something else, such as an e-mail address, escapes the rule: only services may use it.",
        "In a shared table, rights per entity need prefixes in keys. Tables of their own need only names.",
        "Tokens for the next page are keys: check that they belong to the caller.",
      ],
    },
  ],
  see: {
    topics: ["natural-boundaries", "paging", "single-or-several-tables", "security-and-monitoring"],
    examples: ["online-shop", "code-hosting", "documents"],
    rules: ["scope-not-leading", "personal-data-in-key"],
  },
};

import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "security-and-monitoring",
  summary:
    "Encryption is always on, rights are as narrow as the code, and alarms watch throttles, errors and use.",
  what: [
    {
      list: [
        "Encryption at rest: the service's key for nothing, a key managed in your account, or your own key. Calls to the key service are billed for the last two.",
        "Rights: the actions that a function calls, on its tables and indexes only; `dynamodb:LeadingKeys` for users.",
        "Deletion protection and point-in-time recovery for what you would miss.",
        "Alarms: throttled requests, system errors, consumed against provisioned units, age of a stream's consumer, and the cost.",
      ],
    },
  ],
  follows: [
    {
      list: [
        "State `encryption`, `deletionProtection`, `pitr` and `tags` in the model, so that they are in what is made of it.",
        "Mark what is about people as `personal`. Keys appear in logs, metrics and tokens: keep it out of them, or hash it.",
        "Tags make the bill readable.",
      ],
    },
  ],
  see: {
    topics: ["access-scopes", "pitr-and-backups", "contributor-insights", "hot-partitions"],
    examples: ["online-shop"],
    rules: ["personal-data-in-key", "no-point-in-time-recovery", "no-deletion-protection"],
  },
};

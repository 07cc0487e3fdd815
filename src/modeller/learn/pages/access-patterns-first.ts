import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "access-patterns-first",
  summary:
    "Write down every question and every change before the first key: keys cannot be altered later.",
  what: [
    "A relational design starts from entities and lets queries come later. Here it is the other way round: the key decides what can be asked, and the key of a table can never be changed. So collect patterns from the stories of users: who asks, by what, in which order, how many, how fresh, how often.",
    {
      list: [
        "Each pattern has an average and a peak rate. Nobody knows them better than you: what you guess, mark `assumed` and say why.",
        "For each read there is a write that makes its data, and the reverse. What is missing is a question: who creates users if there is only a sign-in?",
        "Relations have fan-outs: on average and at most. The largest parent decides about sizes and hot keys.",
        "What is read together matters more than what belongs together on paper.",
      ],
    },
  ],
  follows: [
    "Design per table from the questions, not from the entity: an orders table that is asked by customer has the customer in its key. Take decisions such as copies, projections and one table or several openly, with their reason, in `design.decisions`; ideas that are not decided yet belong in a pattern's `considerations`.",
    "Then go through the list again with the finished design in hand: every pattern solved, declined, or given to another service.",
  ],
  see: {
    topics: ["rates", "choosing", "denormalisation", "workflows"],
    examples: ["code-hosting", "device-readings", "documents"],
    rules: ["attribute-never-read", "numbers-do-not-add-up"],
  },
};

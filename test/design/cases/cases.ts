import type { Mix } from "./mixes.ts";

/** A published case: where it is from, and what the design of the source and ours do differently. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** What differs and why, in sentences. */
  readonly differs: readonly string[];
  /** Where ours has more indexes than the source's: how many, and why. */
  readonly moreIndexes?: Readonly<
    Partial<Record<Mix, { readonly ours: number; readonly why: string }>>
  >;
}

export const cases: readonly Case[] = [
  {
    name: "session-store",
    title: "Session store",
    source: 'Alex DeBrie, "The DynamoDB Book", session store',
    differs: ["Nothing but time to live, which the source turns on."],
  },
  {
    name: "complaint-desk",
    title: "Complaint desk",
    source: 'DynamoDB developer guide, "Complaint management system schema design"',
    differs: [
      "Complaints and comments are never read together, so they have a table each: shorter keys, and a list of comments passes no complaint.",
      "The index of customers holds keys alone: a list of complaints is asked for less often than complaints change.",
    ],
  },
];

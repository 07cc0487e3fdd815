import type { Mix } from "./mixes.ts";

/** What is looked at in every design. */
export type Check = "proof" | "scans" | "price" | "limits";

/** A published case: where it is from, and what the design of the source and ours do differently. */
export interface Case {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** What differs and why, in sentences. */
  readonly differs: readonly string[];
  /** Checks that it does not pass yet, with what comes out instead. One that passes has to go from here. */
  readonly fails?: readonly {
    readonly check: Check;
    readonly mixes: readonly Mix[];
    readonly what: string;
  }[];
  /** Where a key of the expert's is too hot at peak. That is no design then, and ours may cost more. */
  readonly tooHot?: readonly Mix[];
  /** Where ours has more indexes than the source's: how many, why, and what is asked for to get no more. */
  readonly moreIndexes?: Readonly<
    Partial<Record<Mix, { readonly ours: number; readonly why: string; readonly fewer: Fewer }>>
  >;
}

/** What to ask for where indexes are to be few: dollars a month for each, or one table for all. */
export type Fewer = "--weight index=5" | "--style generic";

const shopIndexes =
  "invoices, shipments and items have indexes of their own; the source has them in two, for the same write units.";
const bankIndexes =
  "what is scheduled and what is pending have a sparse index each, so that what is processed is in none.";

export const cases: readonly Case[] = [
  {
    name: "session-store",
    title: "Session store",
    source: 'Alex DeBrie, "The DynamoDB Book", session store',
    differs: ["Nothing."],
  },
  {
    name: "ecommerce",
    title: "E-commerce",
    source: 'Alex DeBrie, "The DynamoDB Book", e-commerce',
    differs: [
      "The items of an order lie inside of it: they are written with it and read with it, one request and one item instead of several. They lie under their customer, who is read by a second request; who knows an order alone finds its customer by an index of keys, which no change of an order writes.",
      "E-mail addresses are kept unique in the same way, in a table of their own.",
    ],
  },
  {
    name: "deals",
    title: "Deals site",
    source: 'Alex DeBrie, "The DynamoDB Book", Big Time Deals',
    differs: [
      "Nothing is read together, so every entity has a table; keys are shorter, and items cross fewer steps of 1 KB. What changes often lies apart from what is large where that saves something.",
      "Unread messages are found by a filter on the few of a user, and all users by reading the table of users: the source has a sparse index for each of them.",
      "A message to everybody is a Scan in both.",
    ],
  },
  {
    name: "code-hosting",
    title: "Code hosting",
    source: 'Alex DeBrie, "The DynamoDB Book", GitHub',
    differs: [
      "No repository is written to the index of pull requests and to that of accounts whenever it changes: pull requests lie under their repository in a table of their own, and the few repositories of an account are sorted by who asks.",
    ],
  },
  {
    name: "online-shop",
    title: "Online shop",
    source: 'DynamoDB developer guide, "Using DynamoDB as a data store for an online shop"',
    differs: [
      "An order is one collection with its products, its invoice and its shipments here, too. A mark keeps orders out of the index of products by customer and time, which have both.",
    ],
    moreIndexes: {
      "read-heavy": { ours: 7, why: shopIndexes, fewer: "--style generic" },
      balanced: { ours: 7, why: shopIndexes, fewer: "--style generic" },
      "write-heavy": { ours: 7, why: shopIndexes, fewer: "--style generic" },
    },
  },
  {
    name: "device-log",
    title: "Device log",
    source: 'DynamoDB developer guide, "Monitoring device status updates"',
    differs: ["Nothing."],
  },
  {
    name: "bank-payments",
    title: "Bank payments",
    source: 'AWS DynamoDB workshop, design challenge "bank payments"',
    differs: [
      "The 8 KB of a payment lie in an item of their own (under the read-heavy mix the indexes hold keys alone), and are read when it is sent: 555 payments a second take 555 write units of a key of the index instead of 4,445, so no shards are needed until writes are many, and a change of the status writes one unit instead of eight.",
      "The five shards of the source are for what is scheduled. That each change of a status moves 8 KB in the index comes on top, and is more than they give.",
    ],
    tooHot: ["read-heavy", "balanced", "write-heavy"],
    moreIndexes: {
      "read-heavy": { ours: 2, why: bankIndexes, fewer: "--weight index=5" },
      balanced: { ours: 2, why: bankIndexes, fewer: "--weight index=5" },
      "write-heavy": { ours: 2, why: bankIndexes, fewer: "--weight index=5" },
    },
  },
  {
    name: "retail-cart",
    title: "Retail cart",
    source: 'AWS DynamoDB workshop, design challenge "retail cart"',
    differs: [
      "The status is in no sort key of the table, which the source has there and has to delete and put for each change.",
      "Of the twenty products of a customer, those in the cart have a sparse index unless writes are many; saved and bought ones are read and filtered: an index would cost more to keep than it saves.",
    ],
  },
  {
    name: "game-matches",
    title: "Game matches",
    source: 'AWS DynamoDB workshop, "game player data" (battle royale)',
    differs: [
      "The index of players holds players alone: the source's turned index holds games and users, too, so each of their changes is written twice.",
    ],
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
  {
    name: "recurring-payments",
    title: "Recurring payments",
    source: 'DynamoDB developer guide, "Recurring payments schema design"',
    differs: [
      "Receipts have a table of their own, and sort keys of indexes that nobody asks for are left out.",
      "Under the write-heavy mix the source's days take more than 1,000 write units at peak; ours has two shards there.",
    ],
    tooHot: ["write-heavy"],
  },
  {
    name: "chat",
    title: "Chat",
    source: 'AWS examples for DynamoDB, schema "chat system"',
    differs: [
      "Comments lie under their room, by time and user: all questions are about a room, so no index is needed.",
    ],
  },
];

import { testAccessRule } from "../access.test-support.ts";
import { copyWithoutUpkeep } from "./copy-without-upkeep.ts";

const text = "      text: { type: S, bytes: 600 }\n";
const copy = (staleness: string) =>
  [
    text,
    `${text}      teamTitle: { type: S, bytes: 30, copyOf: Team.title${staleness} }\n`,
  ] as const;
const rename =
  "update: Team, where: { teamId: equals }, changes: [title], condition: exists," as const;

testAccessRule(copyWithoutUpkeep, {
  "a copy that may not be behind": {
    bad: [copy(", staleness: refused")],
    at: ["entities.Ticket.attributes.teamTitle"],
    line: "teamTitle",
    says: ["a copy of Team.title", "rename changes the source 0.01 times", "may not be behind"],
    good: {
      "a transaction that changes both": [
        copy(", staleness: refused"),
        [
          rename,
          "transaction: [{ update: Team, where: { teamId: equals }, changes: [title] }, { update: Ticket, where: { teamId: equals, ticketId: equals }, changes: [teamTitle] }],",
        ],
      ],
      "a source that never changes": [
        copy(", staleness: refused"),
        ["changes: [title]", "adds: { solved: 1 }"],
      ],
    },
  },
  "a copy of which nothing is said": {
    bad: [copy("")],
    at: ["entities.Ticket.attributes.teamTitle"],
    line: "teamTitle",
    says: ["nothing says that the copy may be behind"],
    good: {
      "a copy that may be behind": [copy(", staleness: accepted")],
      "a consumer of the stream": [
        copy(""),
        [
          "      discriminator: kind\n",
          "      discriminator: kind\n      stream: new-image\n      consumers: [{ name: titles }]\n",
        ],
      ],
    },
  },
});

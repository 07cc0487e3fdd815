import { testAccessRule } from "../access.test-support.ts";
import { uniquenessByIndex } from "./uniqueness-by-index.ts";

const guard = `      unique: [{ entity: Agent, attribute: mail, table: Mails, key: { mail: "{mail|lower}" } }]\n`;
const index = "      indexes: { ByMail: { key: { partition: mail }, projection: keys } }\n";

testAccessRule(uniquenessByIndex, {
  "an index on it": {
    bad: [[guard, index]],
    at: ["entities.Agent.attributes.mail"],
    line: "mail: { type: S",
    says: ["index ByMail does not keep it so", "the index holds both"],
    good: {
      "a guard and an index": [[guard, guard + index]],
      "a value that need not be unique": [
        [guard, index],
        ["bytes: 40, unique: true", "bytes: 40"],
      ],
    },
  },
  "a guard with more than the value": {
    bad: [[`{mail|lower}" } }]`, `{mail|lower}#{fullName}" } }]`]],
    at: ["design.tables.Agents.unique[0].key"],
    line: "unique",
    says: ["depends on more than its value", "can have different keys"],
    good: {
      "a shard of the value": [[`{mail|lower}" } }]`, `{mail|lower}#{shard:4:mail}" } }]`]],
    },
  },
  "nothing at all": {
    bad: [[guard, ""]],
    at: ["entities.Agent.attributes.mail"],
    line: "mail: { type: S",
    says: ["nothing keeps it so"],
    good: {
      "what nobody writes": [
        [guard, ""],
        [
          "  hire: { name: A new agent, create: Agent, condition: absent, rps: { average: 0.01, peak: 1 } }\n",
          "",
        ],
        [
          "update: Agent, where: { agentId: equals }, changes: [fullName], condition: version, writers: 2,",
          "read: Agent, where: { agentId: equals },",
        ],
      ],
      "the table's key itself": [
        [guard, ""],
        ["id: [agentId]", "id: [mail]"],
        ["key: { agentId: S }", "key: { mail: S }"],
        [`Agent: { key: { agentId: "{agentId}" } }`, `Agent: { key: { mail: "{mail}" } }`],
      ],
    },
  },
});

import { nearest } from "../document/nearest.ts";
import { checkModel } from "./model-check.ts";

/** A model document to begin with: small, whole, and open about what is assumed in it. */
export const startingModel = `# Lists of tasks: a beginning to be changed into what you build. Numbers that nobody gave are marked as
# assumed; replace them by yours. All members are in docs/model.md of keywright.
keywright: 1
name: tasks
overview:
  domain: productivity
  context:
    - a list belongs to one person for ever
    - a task never moves to another list
  scale: { users: { assumed: 20_000, why: a first guess } }
  region: us-east-1

# What there is: what identifies one, how many there are, how large they are.
entities:
  TaskList:
    description: what somebody wants to do
    id: [listId]
    count: { assumed: 50_000, why: two or three for each person }
    attributes:
      listId: { type: S, format: ulid }
      ownerId: { type: S, format: ulid, mutable: false }
      title: { type: S, bytes: { assumed: 40, why: a few words } }
      createdAt: { type: S, format: iso-time, mutable: false }

  Task:
    description: one thing to do
    id: [listId, taskId]
    count: { assumed: 1_000_000, why: twenty in each list }
    attributes:
      listId: { type: S, format: ulid }
      taskId: { type: S, format: ulid }
      text: { type: S, bytes: { assumed: 120, why: one or two sentences } }
      state: { type: S, values: { open: 0.3, done: 0.7 } }

relations:
  - from: TaskList
    to: Task
    kind: one-to-many
    average: { assumed: 20, why: a first guess }
    max: { assumed: 500, why: nobody reads more }
    identifying: true
    together: { assumed: 0.9, why: a list is shown with its tasks }

# What is asked and changed, and how often. Costs follow the average, hot keys the peak.
patterns:
  lists:
    name: The lists of a person, newest first
    story: As a person I want to see all my lists.
    read: TaskList
    where: { ownerId: equals }
    order: { createdAt: descending }
    limit: 25
    returns: [listId, title, createdAt]
    rps: { average: { assumed: 5, why: a first guess }, peak: { assumed: 30, why: mornings } }
    scope: [ownerId]
    status: solved
  list:
    name: A list with its tasks
    story: As a person I want to see what there is to do.
    read: TaskList
    where: { listId: equals }
    together: [{ entity: Task, limit: 100, order: { taskId: ascending } }]
    rps: { average: { assumed: 20, why: a first guess }, peak: { assumed: 120, why: mornings } }
    status: solved
  begin:
    name: Begin a list
    create: TaskList
    condition: absent
    rps: { average: { assumed: 0.1, why: a first guess }, peak: { assumed: 2, why: mornings } }
    status: solved
  add:
    name: Add a task
    create: Task
    condition: absent
    rps: { average: { assumed: 2, why: a first guess }, peak: { assumed: 15, why: mornings } }
    status: solved
  tick:
    name: Tick a task off
    update: Task
    where: { listId: equals, taskId: equals }
    changes: [state]
    condition: exists
    rps: { average: { assumed: 2, why: a first guess }, peak: { assumed: 15, why: mornings } }
    status: solved

# Which tables answer. Key texts are made of words and of attributes in braces.
design:
  style: natural
  decisions:
    - about: design.tables.Tasks
      chosen: a list and its tasks under one partition key
      rejected: [{ what: a table for each, why: showing a list would take two requests }]
      why: they are read together
  tables:
    Tasks:
      purpose: lists and their tasks
      billing: on-demand
      key: { listId: S, part: S }
      entities:
        TaskList: { key: { listId: "{listId}", part: "#LIST" } }
        Task: { key: { listId: "{listId}", part: "TASK#{taskId}" } }
      indexes:
        ListsByOwner:
          purpose: the lists of a person, newest first
          key: { partition: ownerId, sort: createdAt }
          projection: [title]
      pitr: true
      deletionProtection: true
  tradeoffs:
    - a new list may be missing among the lists of its owner for a moment
`;

/** Says that there is no such example, and which was probably meant. */
export function unknownExample(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean '${near}'?`;
  return `There is no example '${name}', but ${names.join(", ")}.${hint}`;
}

/** A document with the comment that makes editors complete it and check it as you type. */
export function withSchema(model: string, schema: string): string {
  return `# yaml-language-server: $schema=${schema}\n${model}`;
}

/** What was written, and what to do with it: two lines. */
export function modelInitText(model: string, file: string): string {
  const { summary } = checkModel(model, file);
  const { reads = 0, writes = 0 } = summary?.patterns ?? {};
  const numbers = [
    `${summary?.entities} entities`,
    `${reads + writes} patterns`,
    `${summary?.tables.length} ${summary?.tables.length === 1 ? "table" : "tables"}`,
  ];
  return [
    `${file} is written: ${numbers.join(", ")}; ${summary?.assumed} numbers in it are assumed.`,
    `Make it yours; 'keywright check ${file}' says what is wrong or open, 'keywright learn' explains.\n`,
  ].join("\n");
}

import { type RuleCase, testRule } from "./lint.test-support.ts";
import type { Rule } from "./rule.ts";

/** A sound design with fixed sizes, so that the units and dollars of its requests can be worked out by hand. */
export const deskModel = `keywright: 1
name: desk
overview: { region: us-east-1 }
entities:
  Team:
    id: [teamId]
    count: 1_000
    attributes:
      teamId: { type: S, bytes: 10 }
      title: { type: S, bytes: 30 }
      solved: { type: N, digits: 4, counter: true }
  Ticket:
    id: [teamId, ticketId]
    count: 1_000_000
    attributes:
      teamId: { type: S, bytes: 10 }
      ticketId: { type: S, format: ulid }
      openedAt: { type: S, format: iso-time, mutable: false }
      state: { type: S, values: { open: 0.05, closed: 0.95 } }
      topic: { type: S, bytes: 60 }
      text: { type: S, bytes: 600 }
  Comment:
    id: [ticketId, commentId]
    count: 4_000_000
    attributes:
      ticketId: { type: S, format: ulid, distinct: 1_000_000 }
      commentId: { type: S, format: ulid }
      words: { type: S, bytes: 300 }
  Agent:
    id: [agentId]
    count: 5_000
    version: revision
    attributes:
      agentId: { type: S, bytes: 10 }
      mail: { type: S, bytes: 40, unique: true }
      fullName: { type: S, bytes: 30 }
      revision: { type: N, digits: 4 }
  Session:
    id: [sessionId]
    count: 20_000
    retention: 1d
    attributes:
      sessionId: { type: S, format: uuid }
      agentId: { type: S, bytes: 10, mutable: false }
      expiresAt: { type: N, format: epoch-seconds }
relations:
  - { from: Team, to: Ticket, kind: one-to-many, average: 1_000, max: 20_000, identifying: true }
  - { from: Ticket, to: Comment, kind: one-to-many, average: 4, max: 200, identifying: true }
  - { from: Agent, to: Session, kind: one-to-many, average: 4 }
patterns:
  team: { name: A team, read: Team, where: { teamId: equals }, rps: { average: 20, peak: 90 } }
  found: { name: Make a team, create: Team, condition: absent, rps: { average: 0.01, peak: 1 } }
  rename: { name: Rename a team, update: Team, where: { teamId: equals }, changes: [title], condition: exists, rps: { average: 0.01, peak: 1 } }
  tickets: { name: The newest tickets, read: Ticket, where: { teamId: equals }, order: { ticketId: descending }, limit: 20, rps: { average: 30, peak: 100 } }
  ticket: { name: A ticket, read: Ticket, where: { teamId: equals, ticketId: equals }, rps: { average: 20, peak: 80 } }
  waiting: { name: Open tickets, read: Ticket, where: { teamId: equals, state: { equals: open } }, order: { openedAt: ascending }, limit: 50, returns: [ticketId, openedAt, topic], rps: { average: 10, peak: 40 } }
  open: { name: Open a ticket, create: Ticket, condition: absent, rps: { average: 2, peak: 15 } }
  close: { name: Close a ticket, update: Ticket, where: { teamId: equals, ticketId: equals }, changes: { state: closed }, condition: { state: { equals: open } }, writers: 2, rps: { average: 2, peak: 15 } }
  comments: { name: What was said, read: Comment, where: { ticketId: equals }, order: { commentId: ascending }, limit: 100, rps: { average: 20, peak: 80 } }
  comment: { name: Say something, create: Comment, condition: absent, rps: { average: 4, peak: 30 } }
  agent: { name: An agent, read: Agent, where: { agentId: equals }, rps: { average: 10, peak: 50 } }
  hire: { name: A new agent, create: Agent, condition: absent, rps: { average: 0.01, peak: 1 } }
  edit: { name: Change an agent, update: Agent, where: { agentId: equals }, changes: [fullName], condition: version, writers: 2, rps: { average: 0.1, peak: 2 } }
  enter: { name: Sign in, create: Session, condition: absent, rps: { average: 1, peak: 20 } }
  session: { name: Is somebody signed in, read: Session, where: { sessionId: equals, expiresAt: { greater: $now } }, rps: { average: 60, peak: 300 } }
design:
  tables:
    Desk:
      key: { owner: S, part: S }
      discriminator: kind
      entities:
        Team: { key: { owner: "T#{teamId}", part: "#TEAM" } }
        Ticket: { key: { owner: "T#{teamId}", part: "TICKET#{ticketId}" } }
        Comment: { key: { owner: "K#{ticketId}", part: "{commentId}" } }
      indexes:
        Waiting:
          purpose: tickets that somebody has to look at
          key: { partition: waitingFor, sort: openedAt }
          projection: [ticketId, topic]
          sets: { Ticket: { waitingFor: "{teamId}" } }
          only: { Ticket: { state: { equals: open } } }
      pitr: true
      deletionProtection: true
    Agents:
      key: { agentId: S }
      entities:
        Agent: { key: { agentId: "{agentId}" } }
      unique: [{ entity: Agent, attribute: mail, table: Mails, key: { mail: "{mail|lower}" } }]
      pitr: true
      deletionProtection: true
    Mails:
      key: { mail: S }
      pitr: true
      deletionProtection: true
    Sessions:
      key: { sessionId: S }
      entities:
        Session: { key: { sessionId: "{sessionId}" } }
      ttl: expiresAt
      pitr: true
      deletionProtection: true
`;

/** The tests that every rule has, on the model of a help desk. */
export function testAccessRule(rule: Rule, cases: Readonly<Record<string, RuleCase>>): void {
  const based = Object.entries(cases).map(([name, one]) => [name, { base: deskModel, ...one }]);
  testRule(rule, Object.fromEntries(based) as Readonly<Record<string, RuleCase>>);
}

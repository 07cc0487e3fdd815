import { modelOf } from "../../model/model.test-support.ts";
import type { Model } from "../../model/model.ts";

/** One of everything that values can be. */
export const everything: Model = modelOf(`keywright: 1
name: everything
entities:
  Team:
    id: [teamId]
    count: 1_000
    attributes:
      teamId: { type: S, bytes: 9 }
      name: { type: S, bytes: 20 }
      city: { type: S, bytes: 10, distinct: 40 }
      headCount: { type: N, digits: 3, counter: true }
      payroll: { type: N, digits: 8 }
      captainName: { type: S, bytes: 18, copyOf: Person.name, present: 0.9 }
  Person:
    id: [teamId, personId]
    count: 8_000
    attributes:
      teamId: { type: S, bytes: 9 }
      personId: { type: B, format: ulid }
      name: { type: S, bytes: 18, personal: true }
      email: { type: S, bytes: { min: 12, max: 40 }, unique: true }
      managerId: { type: B, format: ulid, present: 0.75 }
      salary: { type: N, digits: 6 }
      level: { type: N, values: { 1: 0.5, 2: 0.25, 10: 0.25 } }
      active: { type: BOOL }
      nothing: { type: 'NULL', present: 0.5 }
      skills: { type: SS, bytes: { min: 4, max: 12 }, elements: { average: 2.5, max: 6 } }
      marks: { type: NS, digits: 3, elements: { average: 3 } }
      keys: { type: BS, bytes: 16, elements: { average: 2 } }
      notes: { type: L, bytes: { min: 10, max: 60 }, elements: { average: 1.5 } }
      settings: { type: M, bytes: 24, elements: { average: 2 } }
      address: { type: M, bytes: { min: 30, max: 200 } }
      history: { type: L, bytes: 120 }
      photo: { type: B, bytes: { shares: { 100: 0.5, 1000: 0.5 } }, present: 0.5 }
      born: { type: S, format: iso-date }
      seen: { type: N, format: epoch-milliseconds }
      token: { type: B, format: uuid }
      code: { type: B, format: ksuid }
  Page:
    id: [pageId, version]
    count: 6_000
    attributes:
      pageId: { type: S, format: ksuid }
      version: { type: N, digits: 2 }
      title: { type: S, bytes: 24 }
  Visit:
    id: [teamId, day]
    count: 50_000
    retention: 30d
    attributes:
      teamId: { type: S, bytes: 9 }
      day: { type: S, format: iso-date }
      visits: { type: N, digits: 5, present: 0.8 }
      pageId: { type: S, format: ksuid }
      expiresAt: { type: N, format: epoch-seconds }
  Stop:
    id: [teamId, position]
    count: 3_000
    attributes:
      teamId: { type: S, bytes: 9 }
      position: { type: N, digits: 2 }
      place: { type: S, bytes: 12 }
relations:
  - { from: Team, to: Person, kind: one-to-many, average: 8, identifying: true }
  - { from: Person, to: Person, kind: one-to-many, average: 0.75 }
  - { from: Team, to: Visit, kind: one-to-many, average: 2.5, identifying: true }
  - { from: Team, to: Stop, kind: one-to-many, average: 3, identifying: true }
patterns: {}
design:
  tables:
    Main:
      key: { pk: S, sk: S }
      discriminator: what
      entities:
        Team:
          key: { pk: "T#{teamId}", sk: TEAM }
          embeds: [{ entity: Stop, as: stops }]
          names: { name: n }
        Person:
          key: { pk: "T#{teamId}", sk: "P#{email|lower}#{shard:3}" }
          stores: [teamId, personId, name, email, managerId, salary, level, active, nothing, skills, marks,
            keys, notes, settings, address, history, born, seen, token, code]
          split:
            - { name: photo, key: { pk: "T#{teamId}", sk: "PHOTO#{email}" }, attributes: [photo] }
        Page: { key: { pk: "PAGE#{pageId}", sk: "V#{version|pad:4}" } }
        Visit: { key: { pk: "T#{teamId}", sk: "VISIT#{day}" } }
      indexes:
        Rich:
          key: { partition: rich, sort: salary }
          sets: { Person: { rich: "{level}" } }
          only: { Person: { level: { at-least: 2 } } }
          projection: [name]
        Busy:
          key: { partition: busy }
          sets: { Visit: { busy: "{visits|descending}" } }
          projection: keys
      ttl: expiresAt
      versioning: { entity: Page, attribute: version, latest: copy, key: { pk: "PAGE#{pageId}", sk: LATEST } }
      unique:
        - { entity: Person, attribute: email, table: Mails, key: { mail: "{email|lower}" } }
      aggregates:
        - { of: Person, into: Team.headCount, by: transaction }
        - { of: Person, into: Team.payroll, what: sum, attribute: salary, by: transaction }
    Mails: { key: { mail: S } }
`);

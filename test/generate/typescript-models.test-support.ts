import type { Model } from "../../src/model/model.ts";
import type { ModelDocument } from "../../src/model/model-document.ts";
import { modelFrom } from "../../src/model/parse.ts";
import { hostileText } from "./examples.test-support.ts";

function made(document: object): Model {
  const { model, complaints } = modelFrom(document as unknown as ModelDocument);
  if (model === undefined) throw new Error(JSON.stringify(complaints, undefined, 1));
  return model;
}

/** Texts that end literals, templates and comments, wherever a model can hold them. */
export function awkwardModel(): Model {
  const key = hostileText.replaceAll("{", "{{").replaceAll("}", "}}");
  return made({
    keywright: 1,
    name: "awkward",
    entities: {
      Set: {
        description: hostileText,
        id: ["constructor"],
        count: 10,
        attributes: {
          constructor: { type: "S", format: "ulid" },
          "to-String": { type: "S", values: [hostileText, "plain"], description: hostileText },
          toString: { type: "S", bytes: 5, present: 0.5 },
        },
      },
    },
    patterns: {
      delete: { name: hostileText, story: hostileText, create: "Set", condition: "absent", rps: 1 },
      "get-it": { name: "one", read: "Set", where: { constructor: "equals" }, rps: 1 },
      access: {
        name: hostileText,
        read: "Set",
        where: { "to-String": { equals: hostileText } },
        limit: 10,
        rps: 1,
      },
      turn: {
        name: hostileText,
        update: "Set",
        where: { constructor: "equals" },
        changes: { "to-String": "$kind" },
        condition: { "to-String": { equals: hostileText } },
        rps: 1,
      },
    },
    design: {
      tables: {
        "class-1": {
          purpose: hostileText,
          key: { "p-k": "S" },
          discriminator: "valueOf",
          entities: { Set: { key: { "p-k": `${key}{constructor}` } } },
          indexes: {
            "in.dex": {
              purpose: hostileText,
              key: { partition: "by-kind" },
              sets: { Set: { "by-kind": key } },
              only: { Set: { "to-String": { equals: hostileText } } },
            },
          },
        },
      },
    },
  });
}

/** What a design can ask for and no example does: other types, names, ways of reading and of writing. */
export function wideModel(): Model {
  return made({
    keywright: 1,
    name: "wide",
    entities: {
      Person: {
        id: ["personId"],
        count: 100,
        version: "revision",
        attributes: {
          personId: { type: "S", format: "ulid" },
          email: { type: "S", bytes: 20, unique: true },
          nick: { type: "S", bytes: 10, unique: true },
          revision: { type: "N", digits: 3 },
          city: { type: "S", bytes: 8, distinct: 5 },
          born: { type: "S", format: "iso-date" },
          huge: { type: "N", digits: 30 },
          tags: { type: "SS", bytes: 4, elements: { average: 2, max: 5 } },
          flags: { type: "NS", digits: 2, elements: { average: 2, max: 5 }, present: 0.5 },
          log: { type: "L", bytes: 10, elements: { average: 2, max: 50 }, present: 0.5 },
          photo: { type: "B", bytes: 30, present: 0.5 },
          "is-open": { type: "BOOL" },
          visits: { type: "N", digits: 4, counter: true },
        },
      },
      Visit: {
        id: ["personId", "at"],
        count: 1_000,
        retention: "30d",
        attributes: {
          personId: { type: "S", format: "ulid" },
          at: { type: "S", format: "iso-time" },
          place: { type: "S", bytes: 8, distinct: 5 },
          seconds: { type: "N", digits: 4 },
          until: { type: "N", format: "epoch-seconds" },
        },
      },
      Event: {
        id: ["eventId"],
        count: 200,
        attributes: {
          eventId: { type: "S", format: "ulid" },
          personId: { type: "S", format: "ulid" },
          place: { type: "S", values: ["north", "south"] },
          at: { type: "S", format: "iso-time" },
          level: { type: "N", digits: 2 },
        },
      },
      Note: {
        id: ["noteId"],
        count: 200,
        attributes: {
          noteId: { type: "S", format: "uuid" },
          personId: { type: "S", format: "ulid" },
          text: { type: "S", bytes: 100 },
          rank: { type: "N", digits: 3 },
        },
      },
    },
    relations: [
      { from: "Person", to: "Event", kind: "one-to-many", average: 2 },
      { from: "Person", to: "Visit", kind: "one-to-many", average: 10, identifying: true },
      { from: "Person", to: "Note", kind: "one-to-many", average: 2 },
    ],
    patterns: {
      join: { name: "Join", create: "Person", condition: "absent", rps: 1 },
      person: { name: "A person", read: "Person", where: { personId: "equals" }, rps: 1 },
      known: { name: "By address", read: "Person", where: { email: "equals" }, rps: 1 },
      called: { name: "By nick", read: "Person", where: { nick: "equals" }, rps: 1 },
      city: {
        name: "People of a city, the youngest first",
        read: "Person",
        where: { city: "equals", born: { "at-least": "$since" } },
        order: { born: "descending" },
        limit: 4,
        rps: 1,
      },
      everybody: {
        name: "Everybody with a tag",
        read: "Person",
        where: { tags: { contains: "$tag" } },
        limit: "all",
        rps: 0.01,
      },
      move: {
        name: "Another address",
        update: "Person",
        where: { personId: "equals" },
        changes: ["email", "city"],
        condition: "version",
        rps: 1,
      },
      tag: {
        name: "More tags",
        update: "Person",
        where: { personId: "equals" },
        appends: ["tags", "log"],
        removes: ["photo"],
        condition: "exists",
        rps: 1,
      },
      leave: {
        name: "Leave",
        delete: "Person",
        where: { personId: "equals" },
        condition: "exists",
        rps: 1,
      },
      visit: {
        name: "A visit",
        create: "Visit",
        condition: "absent",
        rps: 1,
      },
      recent: {
        name: "Visits between two moments",
        read: "Visit",
        where: { personId: "equals", at: { between: ["$from", "$to"] } },
        order: { at: "descending" },
        limit: 5,
        rps: 1,
      },
      long: {
        name: "Long visits of a person",
        read: "Visit",
        where: { personId: "equals", seconds: { greater: "$seconds" } },
        order: { at: "ascending" },
        limit: 3,
        rps: 1,
      },
      some: {
        name: "Some visits",
        read: "Visit",
        where: { personId: "equals", at: "equals" },
        batch: 20,
        rps: 1,
      },
      happen: { name: "Something happens", create: "Event", condition: "absent", rps: 1 },
      days: {
        name: "What happened at a place in some days",
        read: "Event",
        where: { place: "equals", at: { between: ["$first", "$last"] } },
        order: { at: "ascending" },
        limit: "all",
        rps: 1,
      },
      either: {
        name: "What happened at several places on a day",
        read: "Event",
        where: { place: { "one-of": "$places" }, at: { "begins-with": "$day" } },
        order: { at: "ascending" },
        limit: "all",
        rps: 1,
      },
      shift: {
        name: "It was somewhere else",
        update: "Event",
        where: { eventId: "equals" },
        changes: ["place"],
        condition: "exists",
        rps: 1,
      },
      level: {
        name: "Another level",
        update: "Event",
        where: { eventId: "equals" },
        changes: ["level"],
        rps: 1,
      },
      write: { name: "Write notes", create: "Note", batch: 30, rps: 1 },
      notes: {
        name: "Notes of a person, the best first",
        read: "Note",
        where: { personId: "equals" },
        order: { rank: "descending" },
        limit: 3,
        rps: 1,
      },
      both: {
        name: "A person and a note as they are at one moment",
        transaction: [
          { read: "Person", where: { personId: "equals" } },
          { read: "Note", where: { noteId: "equals" } },
        ],
        rps: 1,
      },
      forget: {
        name: "Forget notes",
        delete: "Note",
        where: { noteId: "one-of" },
        batch: 20,
        rps: 1,
      },
      rerank: {
        name: "Another rank",
        update: "Note",
        where: { noteId: "equals", personId: "equals" },
        changes: ["rank"],
        condition: "exists",
        rps: 1,
      },
    },
    design: {
      tables: {
        "People.all": {
          key: { pk: "S", sk: "S" },
          discriminator: "kind",
          entities: {
            Person: {
              key: { pk: "P#{personId}", sk: "PERSON" },
              names: { email: "e", revision: "v", "is-open": "o" },
            },
            Visit: { key: { pk: "P#{personId}", sk: "V#{at}" } },
          },
          indexes: {
            "by-city": {
              key: { partition: ["city"], sort: ["born"] },
              projection: ["personId", "email", "is-open"],
            },
          },
          unique: [
            { entity: "Person", attribute: "email", key: { pk: "E#{email|lower}", sk: "E" } },
            { entity: "Person", attribute: "nick", key: { pk: "N#{nick}", sk: "N" } },
          ],
          aggregates: [{ of: "Visit", into: "Person.visits", by: "transaction" }],
          ttl: { attribute: "until", entities: ["Visit"] },
        },
        Events: {
          key: { day: "S", moment: "S" },
          entities: {
            Event: { key: { day: "{place}#{at|day}", moment: "{at}#{eventId}" } },
          },
          indexes: {
            ById: { key: { partition: "eventId" }, projection: "keys" },
            High: {
              key: { partition: "high", sort: "at" },
              sets: { Event: { high: "{personId}" } },
              only: { Event: { level: { "at-least": 50 } } },
            },
          },
        },
        Notes: {
          key: { noteId: "S" },
          entities: { Note: { key: { noteId: "{noteId}" } } },
          indexes: {
            Ranked: {
              key: { partition: "owner", sort: "place" },
              projection: "keys",
              sets: { Note: { owner: "{personId}#{shard:3}", place: "{rank|pad:3}#{noteId}" } },
            },
          },
        },
      },
    },
  });
}

/** Entities inside of others: in a map, which each is changed in by itself, and one alone. */
export function nestedModel(): Model {
  const line = { where: { orderId: "equals", position: "equals" }, rps: 1 };
  const invoice = { where: { orderId: "equals" }, rps: 1 };
  return made({
    keywright: 1,
    name: "nested",
    entities: {
      Order: {
        id: ["orderId"],
        count: 100,
        attributes: { orderId: { type: "S", format: "ulid" }, note: { type: "S", bytes: 20 } },
      },
      Line: {
        id: ["orderId", "position"],
        count: 300,
        version: "revision",
        attributes: {
          orderId: { type: "S", format: "ulid" },
          position: { type: "N", digits: 3 },
          note: { type: "S", bytes: 10, present: 0.5 },
          quantity: { type: "N", digits: 3 },
          revision: { type: "N", digits: 2 },
          log: { type: "L", bytes: 10, elements: { average: 2, max: 5 }, present: 0.5 },
        },
      },
      Invoice: {
        id: ["orderId"],
        count: 50,
        attributes: {
          orderId: { type: "S", format: "ulid" },
          sum: { type: "N", digits: 4 },
          reminders: { type: "N", digits: 2, present: 0.5 },
        },
      },
    },
    relations: [
      { from: "Order", to: "Line", kind: "one-to-many", average: 3, max: 20, identifying: true },
      { from: "Order", to: "Invoice", kind: "one-to-one", identifying: true },
    ],
    patterns: {
      whole: {
        name: "An order with all that is in it",
        read: "Order",
        where: { orderId: "equals" },
        together: [
          { entity: "Line", limit: 2, order: { position: "descending" } },
          { entity: "Invoice" },
        ],
        rps: 1,
      },
      lines: {
        name: "Lines of an order that are many",
        read: "Line",
        where: { orderId: "equals", quantity: "at-least" },
        order: { position: "descending" },
        rps: 1,
      },
      line: { name: "A line", read: "Line", ...line },
      invoice: { name: "An invoice", read: "Invoice", ...invoice },
      place: {
        name: "Place",
        transaction: [
          { create: "Order", condition: "absent" },
          { create: "Line", condition: "absent", average: 3 },
        ],
        rps: 1,
      },
      placeWith: {
        name: "Place with an invoice",
        create: "Order",
        condition: "absent",
        with: ["Line", "Invoice"],
        rps: 1,
      },
      add: { name: "Add a line", create: "Line", condition: "absent", rps: 1 },
      over: { name: "Put a line", create: "Line", rps: 1 },
      change: { name: "Change a line", update: "Line", ...line, changes: ["quantity"] },
      raise: { name: "One more", update: "Line", ...line, adds: { quantity: 1 }, appends: ["log"] },
      rest: {
        name: "Say nothing",
        update: "Line",
        ...line,
        removes: ["note"],
        condition: "exists",
      },
      firm: {
        name: "Change what was seen",
        update: "Line",
        ...line,
        changes: ["note"],
        condition: "version",
      },
      few: {
        name: "Change what is small",
        update: "Line",
        ...line,
        changes: ["note"],
        condition: { quantity: "at-most" },
      },
      strike: { name: "Strike a line", delete: "Line", ...line },
      bill: { name: "Bill", create: "Invoice", condition: "absent", rps: 1 },
      remind: { name: "Remind", update: "Invoice", ...invoice, adds: { reminders: 1 } },
      waive: { name: "Waive", delete: "Invoice", ...invoice, condition: "exists" },
      forget: { name: "Forget", delete: "Order", where: { orderId: "equals" }, rps: 1 },
    },
    design: {
      tables: {
        Orders: {
          key: { orderId: "S" },
          entities: {
            Order: {
              key: { orderId: "{orderId}" },
              embeds: [
                { entity: "Line", as: "lines", by: "position" },
                { entity: "Invoice", as: "invoice", one: true },
              ],
            },
          },
        },
      },
    },
  });
}

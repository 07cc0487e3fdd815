import { modelOf } from "../../model/model.test-support.ts";
import { Facts } from "../facts.ts";
import { plansOf } from "../plans/planner.ts";
import { type KeyFamily, type KeyLoad, keyLoadsOf } from "./key-load.ts";

export function keyLoads(text: string): readonly KeyLoad[] {
  const facts = new Facts(modelOf(text));
  return keyLoadsOf(facts, plansOf(facts));
}

export function loadNamed(text: string, name: string): KeyLoad {
  const found = keyLoads(text).find((one) => one.name === name);
  if (found === undefined) throw new Error(`nothing is called ${name}`);
  return found;
}

/** The keys of one table or index, if they are all made alike. */
export function onlyFamily(text: string, name: string): KeyFamily {
  const { families } = loadNamed(text, name);
  const [first, ...others] = families;
  if (first === undefined || others.length > 0) throw new Error(`${families.length} kinds of keys`);
  return first;
}

/** Votes of a show with two candidates; the key is handed in. An item is smaller than a unit. */
export function votes(key: string, more = "", rps = "{ average: 100, peak: 2_000 }"): string {
  return `keywright: 1
name: votes
entities:
  Vote:
    id: [voterId]
    count: 10_000_000
    retention: 30d
    attributes:
      voterId: { type: S, format: uuid }
      candidate: { type: S, values: { red: 0.6, blue: 0.4 } }
      castAt: { type: S, format: iso-time, mutable: false }
patterns:
  vote: { name: Vote, create: Vote, rps: ${rps}${more} }
  count: { name: Votes for one, read: Vote, where: { candidate: equals }, limit: 100, rps: { average: 1, peak: 10 } }
design:
  tables:
    Votes:
      key: { box: S, voterId: S }
      entities:
        Vote: { key: { box: "${key}", voterId: "{voterId}" } }
`;
}

/** Ten thousand users, asked for by their ids. */
export function users(rps: string, more = ""): string {
  return `keywright: 1
name: users
entities:
  User:
    id: [userId]
    count: 10_000
    attributes:
      userId: { type: S, format: uuid }
      about: { type: S, bytes: 100 }
patterns:
  profile: { name: A profile, read: User, where: { userId: equals }, rps: ${rps}${more} }
  join: { name: Sign up, create: User, rps: { average: 1, peak: 2 } }
design:
  tables:
    Users:
      key: { userId: S }
      entities:
        User: { key: { userId: "{userId}" } }
`;
}

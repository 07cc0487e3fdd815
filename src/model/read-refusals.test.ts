import { describe, expect, test } from "vitest";
import { complaintsOf, smallModel as whole } from "./model.test-support.ts";

/** Each line of the base that is replaced, and what is said then. */
describe("what makes a document meaningless is refused", () => {
  test.each<[string, string, string]>([
    [
      "id: [customerId]",
      "id: [custmerId]",
      "m.yaml:5:10: entities.Customer.id[0] names 'custmerId', which is no attribute of Customer; did you mean 'customerId'?",
    ],
    ["id: [customerId]", "id: [customerId, customerId]", "id[1] names 'customerId' twice"],
    ["id: [customerId]", "id: [address]", "address.type cannot be in an id"],
    ["id: [customerId]", "id: [birthday]", "birthday.present cannot be less than 1 of an id"],
    [
      "version: version",
      "version: email",
      "entities.Customer.version names 'email', which is no number",
    ],
    ["{ type: N, digits: 6 }", "{ type: S, digits: 6 }", "visits.digits is for numbers, not for S"],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, bytes: 6 }",
      "visits.bytes is for other types; a number has 'digits'",
    ],
    ["{ type: S, bytes: 40 }", "{ type: BOOL, bytes: 40 }", "email.bytes is always 1 of BOOL"],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 40, format: uuid }",
      "email.bytes is fixed by the format",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: { min: 5, max: 4 } }",
      "email.bytes has a min above its max",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: { shares: { 5: 0.5, 6: 0.4 } } }",
      "email.bytes.shares must make 1 together",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: N, format: ulid }",
      "email.format is ulid, which is for S or B, not for N",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 4, copyOf: Order.stats }",
      "email.copyOf names 'stats', which is no attribute of Order; did you mean 'status'?",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 4, copyOf: Order.total }",
      "email.copyOf has type N, and the copy S",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 4, copyOf: Customer.email }",
      "email.copyOf is the attribute itself",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 4, staleness: accepted }",
      "email.staleness is for copies and numbers that are kept; say 'copyOf' or 'keeps' too",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 4, keeps: { count: Order } }",
      "email.keeps is for numbers, not for S",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, keeps: { count: Ordr } }",
      "visits.keeps.count names 'Ordr', which is no entity; did you mean 'Order'?",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, keeps: { sum: Order.totl } }",
      "visits.keeps.sum names 'totl', which is no attribute of Order; did you mean 'total'?",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, keeps: { max: Order.status } }",
      "visits.keeps.max has type S, not N",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, keeps: { min: Customer.version } }",
      "visits.keeps.min names Customer itself",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, copyOf: Order.total, keeps: { count: Order } }",
      "visits.keeps is not for copies",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, unique: true, keeps: { count: Order } }",
      "visits.keeps cannot be of a value that is unique",
    ],
    [
      "{ type: N, digits: 6 }",
      "{ type: N, digits: 6, keeps: { count: Order, sum: Order.total } }",
      "visits.keeps",
    ],
    [
      "{ type: S, bytes: 40 }",
      "{ type: S, bytes: 4, counter: true }",
      "email.counter is for numbers",
    ],
    [
      "{ open: 0.1, shipped: 0.9 }",
      "{ open: 0.1, shipped: 0.8 }",
      "status.values must have shares that make 1",
    ],
    ["{ open: 0.1, shipped: 0.9 }", "[1, 2]", "status.values[0] must be text"],
    ["{ open: 0.1, shipped: 0.9 }", "[open, open]", "status.values[1] is 'open' a second time"],
    [
      "elements: { average: 2 }",
      "elements: { average: 2, max: 1 }",
      "tags.elements has an average above its max",
    ],
    [
      "read: Customer",
      "read: Custmer",
      "patterns.1.read names 'Custmer', which is no entity; did you mean 'Customer'?",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { costumerId: equals }, rps",
      "m.yaml:28:51: patterns.1.where.costumerId names 'costumerId', which is no attribute of Customer; did you mean 'customerId'?",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { address: less }, rps",
      "patterns.1.where.address cannot be asked of type M",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { visits: { equals: x } }, rps",
      "patterns.1.where.visits.equals must be a number, for 'visits' has type N",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { visits: {} }, rps",
      "patterns.1.where.visits needs an operator",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { email: { equals: $a-b } }, rps",
      "patterns.1.where.email.equals is no name of a parameter",
    ],
    [
      "where: { customerId: equals }, rps",
      "order: { address: ascending }, rps",
      "patterns.1.order.address cannot be sorted by",
    ],
    [
      "where: { customerId: equals }, rps",
      "returns: [emial], rps",
      "patterns.1.returns[0] names 'emial', which is no attribute of Customer; did you mean 'email'?",
    ],
    [
      "where: { customerId: equals }, rps",
      "changes: [email], rps",
      "patterns.1.changes is not for 'read', but for update",
    ],
    ["where: { customerId: equals }, rps", "writers: 5, rps", "patterns.1.writers is for writes"],
    [
      "where: { customerId: equals }, rps",
      "scope: [tenant], rps",
      "patterns.1.scope[0] names 'tenant', which is no attribute of what the pattern is about",
    ],
    [
      "where: { customerId: equals }, rps",
      "skew: { key: tenant, zipf: 1 }, rps",
      "patterns.1.skew.key names 'tenant'",
    ],
    [
      "where: { customerId: equals }, rps",
      "with: [Order], rps",
      "patterns.1.with is for 'create' and 'delete'",
    ],
    [
      "where: { customerId: equals }, rps",
      "status: solved, alternative: { service: OpenSearch, why: words }, rps",
      "patterns.1.alternative is for patterns with status 'alternative'",
    ],
    [
      "where: { customerId: equals }, rps",
      "together: [Ordr], rps",
      "patterns.1.together[0] names 'Ordr', which is no entity; did you mean 'Order'?",
    ],
    [
      "where: { customerId: equals }, rps",
      "together: [{ entity: Order, returns: [totl] }], rps",
      "patterns.1.together[0].returns[0] names 'totl', which is no attribute of Order; did you mean 'total'?",
    ],
    [
      "where: { customerId: equals }, rps",
      "status: alternative, rps",
      "patterns.1 needs 'alternative'",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { visits: { between: [55, 9.75] } }, rps",
      "patterns.1.where.visits.between has a lower bound above its upper bound, so nothing is between them",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { email: { between: [b, a] } }, rps",
      "patterns.1.where.email.between has a lower bound above its upper bound",
    ],
    ["where: { customerId: equals }, rps", "status: declined, rps", "patterns.1 needs 'declined'"],
    [
      "{ average: 5, peak: 9 }",
      "{ average: 5, peak: 4 }",
      "patterns.1.rps has a peak below its average",
    ],
    [
      "{ average: 5, peak: 9 }",
      "{ average: 5, assumed: 4 }",
      "patterns.1.rps has 'assumed' beside 'average'",
    ],
    [
      "changes: { status: shipped }",
      "changes: { status: shiped }",
      "patterns.2.changes.status is 'shiped', which is no value of 'status'; did you mean 'shipped'?",
    ],
    [
      "changes: { status: shipped }",
      "changes: [orderId]",
      "patterns.2.changes[0] is in the id, which never changes",
    ],
    [
      "changes: { status: shipped }",
      "changes: [total]",
      "patterns.2.changes[0] is said to be not mutable",
    ],
    [
      "changes: { status: shipped }",
      "changes: { status: shipped }, condition: { total: { exists: false } }",
      "m.yaml:29:133: patterns.2.condition.total never holds, so this update never succeeds: every item has it; state 'present' below 1 at total if some have none",
    ],
    [
      "orderId: equals }, changes: { status: shipped }",
      "orderId: equals, total: { exists: false } }, changes: { status: shipped }",
      "patterns.2.where.total never holds, so this update never succeeds: every item has it",
    ],
    [
      "orderId: equals }, changes: { status: shipped }",
      "orderId: equals, total: { one-of: [1, 2] } }, changes: { status: shipped }, condition: { total: { equals: 3 } }",
      "patterns.2.where.total never holds, so this update never succeeds: no value meets all conditions on it",
    ],
    [
      "changes: { status: shipped }",
      "changes: { total: 5 }, condition: { status: { begins-with: x } }",
      "patterns.2.condition.status never holds",
    ],
    [
      "orderId: equals }, changes: { status: shipped }",
      "orderId: equals, total: equals }, changes: { status: shipped }, condition: { total: { less: $total } }",
      "patterns.2.where.total never holds",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ update: Order, where: { customerId: equals, orderId: equals }, changes: [status], condition: { total: { greater: 5 } } }, { check: Order, where: { customerId: equals, orderId: equals }, condition: { total: { at-most: 5 } } }]",
      "patterns.2.transaction[0].condition.total never holds",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "batch: 5, update: Order, where: { customerId: equals, orderId: equals }, changes: [signature]",
      "patterns.2.changes.signature is unique, and several items would get the same value; update one item",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ update: Order, where: { customerId: equals, orderId: equals }, changes: [signature] }, { update: Order, where: { customerId: equals, orderId: { equals: $other } }, changes: [signature] }]",
      "patterns.2.transaction[1].changes.signature is unique, and step 1 sets it to the same value; name another one: { signature: $other }",
    ],
    [
      "changes: { status: shipped }",
      "changes: [status], condition: { status: equals }",
      "patterns.2.changes[0] is set to the value that it must have before, so nothing changes; name another parameter: { status: $other }",
    ],
    [
      "changes: { status: shipped }",
      "changes: { status: shipped }, condition: { status: { equals: shipped } }",
      "patterns.2.changes.status is set to the value that it must have before, so nothing changes",
    ],
    [
      "where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "where: { customerId: equals, orderId: one-of }, changes: { status: shipped }, condition: { total: { at-most: $orderId } }",
      "patterns.2.condition.total takes one value of type N, and '$orderId' is a list of values of type S in where.orderId; name another parameter",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ check: Order, where: { customerId: equals, orderId: equals }, condition: { total: one-of } }, { update: Customer, where: { customerId: equals }, changes: [email], condition: { visits: { at-most: $total } } }]",
      "patterns.2.transaction[1].condition.visits takes one value of type N, and '$total' is a list of values of type N in transaction[0].condition.total; name another parameter",
    ],
    [
      "changes: { status: shipped }",
      "appends: [tags], condition: { tags: contains }",
      "patterns.2.condition.tags takes one value of type S, and '$tags' is one value of type SS in appends; name another parameter",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "update: Customer, where: { customerId: equals }, changes: { email: $version }, condition: version",
      "patterns.2.changes takes one value of type S, and '$version' is one value of type N in condition; name another parameter",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { customerId: equals, visits: { at-least: $least } }, together: [{ entity: Order, where: { createdAt: { at-least: $least } } }], rps",
      "patterns.1.together[0].where.createdAt takes one value of type S, and '$least' is one value of type N in where.visits; name another parameter",
    ],
    [
      "where: { customerId: equals }, rps",
      "where: { customerId: equals }, together: [{ entity: Order, where: { orderId: { one-of: $customerId } } }], rps",
      "patterns.1.where.customerId takes one value of type S, and '$customerId' is a list of values of type S in together[0].where.orderId; name another parameter",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ update: Order, where: { customerId: equals, orderId: equals }, average: 2, changes: { status: shipped } }, { update: Customer, where: { customerId: { equals: $other } }, changes: { visits: 1 }, condition: { email: { less: $orderId } } }]",
      "patterns.2.transaction[1].condition.email takes one value of type S, and '$orderId' is a list of values of type S in transaction[0].where.orderId; name another parameter",
    ],
    [
      "changes: { status: shipped }",
      "changes: { status: shipped }, removes: [status]",
      "patterns.2.removes[0] is changed by 'changes', too; an update changes it once",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "update: Customer, where: { customerId: equals }, removes: [version], condition: version",
      "patterns.2.removes[0] is changed by 'condition: version', too; an update changes it once",
    ],
    ["changes: { status: shipped }", "adds: { status: 1 }", "patterns.2.adds.status is no number"],
    [
      "changes: { status: shipped }",
      "appends: [status]",
      "patterns.2.appends[0] is no list or set",
    ],
    ["changes: { status: shipped }", "removes: [orderId]", "patterns.2.removes[0] is in the id"],
    [
      "changes: { status: shipped }",
      "limit: 5",
      "patterns.2 needs 'changes', 'adds', 'appends' or 'removes'",
    ],
    [
      "changes: { status: shipped }",
      "changes: [status], condition: version",
      "patterns.2.condition needs 'version' in Order",
    ],
    [
      "where: { customerId: equals, orderId: equals }, ",
      "",
      "patterns.2 needs 'where': which Order is meant",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ read: Order, where: { orderId: equals } }, { create: Order }]",
      "patterns.2.transaction has reads and writes",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ read: Customer, where: { customerId: equals } }, { read: Customer, where: { customerId: equals } }]",
      "patterns.2.transaction[1] names the same Customer as step 1, and a transaction names an item once; leave one of them out, or name another one: { customerId: { equals: $other } }",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ create: Order, average: 101 }]",
      "patterns.2.transaction has 101 actions; there can be 100",
    ],
    [
      "update: Order, where: { customerId: equals, orderId: equals }, changes: { status: shipped }",
      "transaction: [{ check: Order, where: { orderId: equals } }]",
      "patterns.2.transaction[0] needs 'condition'",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customrId}", SK: PROFILE',
      "m.yaml:35:36: design.tables.Shop.entities.Customer.key.PK names 'customrId', which is no attribute of Customer; did you mean 'customerId'?",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId"',
      "Customer.key.PK has a '{' without its '}'",
    ],
    [
      "SK: PROFILE }",
      "SK: PROFILE }, embeds: [{ entity: Order, as: orders, by: tags }]",
      "Customer.embeds[0].by is 'tags', which is no text and no number",
    ],
    [
      "SK: PROFILE }",
      "SK: PROFILE }, embeds: [{ entity: Order, as: orders, by: orderId, one: true }]",
      "Customer.embeds[0].one contradicts by, which tells several",
    ],
    [
      '{createdAt|day}#{orderId}" }',
      '{createdAt|day}#{orderId}" }, split: [{ name: part, key: { PK: "C#{customerId}", SK: "P#{orderId}" }, attributes: [createdAt] }]',
      "Order.split[0].attributes[0] is in the key of Order, so it stays in its item",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}"',
      "Customer.key needs 'SK', which is in the table's key",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: PROFILE, S: x',
      "Customer.key.S names 'S', which is no key attribute of the table",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"{visits}", SK: PROFILE',
      "Customer.key.PK is of type N, and the key is of type S",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{birthday}"',
      "Customer.key.SK has 'birthday', which some items do not have",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{address}"',
      "Customer.key.SK has 'address' of type M",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{visits|day}"',
      "cannot cut 'visits' off after the day: it is no time",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{birthday|hour}"',
      "cannot cut 'birthday' off after the hour: it has only days",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{email|pad:5}"',
      "cannot pad 'email': it is no number",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{visits|lower}#"',
      "cannot change the case of 'visits'",
    ],
    [
      '"C#{customerId}", SK: PROFILE',
      '"C#{customerId}", SK: "{email|descending}"',
      "cannot turn 'email' round",
    ],
    [
      "{createdAt|day}#{orderId}",
      "{signature}",
      "Order.key.SK has 'signature' of type B, which can only be a key by itself",
    ],
    ["{ PK: S, SK: S }", "{ PK: S, SK: N }", "key.SK is of type S, and the key is of type N"],
    [
      "        Customer: {",
      "        Customr: {",
      "design.tables.Shop.entities.Customr names 'Customr', which is no entity; did you mean 'Customer'?",
    ],
    [
      "partition: open,",
      "partition: opne,",
      "ByStatus.key.partition names 'opne', which is no attribute that the table's items have; did you mean 'open'?",
    ],
    ["partition: open,", "partition: tags,", "ByStatus.key.partition is 'tags' of type SS"],
    [
      "partition: open, sort: [createdAt, orderId]",
      "sort: createdAt",
      "ByStatus.key needs 'partition'",
    ],
    [
      "partition: open, sort: [createdAt, orderId]",
      "partition: [a, b, c, d, e]",
      "ByStatus.key.partition must have at most 4",
    ],
    [
      "sets: { Order: {",
      "sets: { Ordr: {",
      "ByStatus.sets.Ordr names 'Ordr', which is no entity of the table; did you mean 'Order'?",
    ],
    [
      'sets: { Order: { open: "{status}" } }',
      'sets: { Order: { open: "{status}", x: y } }',
      "ByStatus.sets.Order.x names 'x', which is no key attribute of the index",
    ],
    [
      'sets: { Order: { open: "{status}" } }',
      'sets: { Order: { open: "{status}", createdAt: "x" } }',
      "sets.Order.createdAt is an attribute of Order already",
    ],
    [
      'sets: { Order: { open: "{status}" } }',
      'sets: { Order: { open: "{status}" }, Customer: { open: x } }',
      "sets.Customer needs 'createdAt', which is in the key",
    ],
    [
      "only: { Order: { status: { equals: open } } }",
      "only: { Customer: { email: exists } }",
      "only.Customer is not in the index",
    ],
    [
      "only: { Order: { status: { equals: open } } }",
      "only: { Order: { status: { equals: opened } } }",
      "only.Order.status.equals is 'opened', which is no value of 'status'; did you mean 'open'?",
    ],
    [
      "only: { Order: { status: { equals: open } } }",
      "projection: [totl]",
      "projection[0] names 'totl', which is no attribute that the table's items have; did you mean 'total'?",
    ],
    [
      "only: { Order: { status: { equals: open } } }",
      "throughput: { read: 1, write: 1 }",
      "throughput is for provisioned tables",
    ],
    [
      "only: { Order: { status: { equals: open } } }",
      "local: true",
      "key.partition is the table's in a local index",
    ],
  ])("%s → %s", (before, after, expected) => {
    expect(whole).toContain(before);
    expect(complaintsOf(whole.replace(before, after)).join("\n")).toContain(expected);
  });

  test.each<[string, string]>([
    [
      "ttl: expirsAt",
      "ttl names 'expirsAt', which is no attribute that the table's items have; did you mean 'expiresAt'?",
    ],
    ["ttl: email", "ttl is 'email' of type S in Customer; only a number can expire"],
    [
      "ttl: { attribute: expiresAt, entities: [Customer] }",
      "ttl.attribute names 'expiresAt', which is no attribute of Customer",
    ],
    ["consumers: [{ name: x }]", "consumers read a stream, and the table has none"],
    ["replicas: [Ireland]", 'replicas[0] must look like "eu-west-1"'],
    ["consumers: [{ name: x, window: 301 }]", "consumers[0].window is longer than 5m"],
    ["consumers: [{ name: x, maxAge: 59 }]", "consumers[0].maxAge is not between 1m and 7d"],
    ["consumers: [{ name: x, maxAge: 8d }]", "consumers[0].maxAge is not between 1m and 7d"],
    [
      "aggregates: [{ of: Order, into: Customer.visits, by: stream }]",
      "aggregates[0].by is by stream, and the table has none",
    ],
    [
      "aggregates: [{ of: Order, into: Customer.visit, by: transaction }]",
      "aggregates[0].into names 'visit', which is no attribute of Customer; did you mean 'visits'?",
    ],
    [
      "aggregates: [{ of: Order, into: Customer.visits, what: sum, by: transaction }]",
      "aggregates[0] needs 'attribute': the sum of what",
    ],
    [
      "aggregates: [{ of: Order, into: Customer.visits, what: max, attribute: total, by: transaction }]",
      "aggregates[0].by is by transaction, which can add, and cannot tell which is greater",
    ],
    [
      "aggregates: [{ of: Order, into: Customer.visits, what: sum, attribute: status, by: transaction }]",
      "aggregates[0].attribute has type S, not N",
    ],
    [
      "unique: [{ entity: Customer, attribute: emial, key: { PK: 'E#{email}', SK: E } }]",
      "unique[0].attribute names 'emial', which is no attribute of Customer; did you mean 'email'?",
    ],
    [
      "unique: [{ entity: Customer, attribute: email, table: Shp, key: { PK: 'E#{email}', SK: E } }]",
      "unique[0].table names 'Shp', which is no table; did you mean 'Shop'?",
    ],
    [
      "versioning: { entity: Order, attribute: status, latest: query }",
      "versioning.attribute is 'status' of type S, not a number",
    ],
    ["versioning: { entity: Order, attribute: total, latest: copy }", "versioning needs 'key'"],
    [
      "periods: { every: month, attribute: createdAt }",
      "periods.attribute names 'createdAt', which is no attribute of Customer",
    ],
    [
      "dax: { node: dax.r5.large, nodes: 3, patterns: [9] }",
      "dax.patterns[0] names '9', which is no pattern",
    ],
    [
      "billing: { provisioned: { read: 5, write: 5, autoScaling: { read: { min: 5, max: 4 } } } }",
      "autoScaling.read has a min above its max",
    ],
    ["discriminator: email", "discriminator is 'email', which is an attribute of Customer already"],
  ])("%s in a table", (line, expected) => {
    expect(complaintsOf(`${whole}      ${line}\n`).join("\n")).toContain(expected);
  });

  test("too many indexes", () => {
    const index = (name: string, rest: string) => `        ${name}: { ${rest} }\n`;
    const globals = Array.from({ length: 20 }, (_, i) =>
      index(`Global${i}`, "key: { partition: status }"),
    );
    const locals = Array.from({ length: 6 }, (_, i) =>
      index(`Local${i}`, "local: true, key: { sort: total }"),
    );
    expect(complaintsOf(whole + globals.slice(1).join(""))).toEqual([]);
    expect(complaintsOf(whole + globals.join("")).join()).toContain(
      "has 21 global indexes; a table can have 20",
    );
    expect(complaintsOf(whole + locals.slice(1).join(""))).toEqual([]);
    expect(complaintsOf(whole + locals.join("")).join()).toContain(
      "has 6 local indexes; a table can have 5",
    );
  });

  test.each([
    ["a value", "visits: { type: N, values: [-1, 5] }", ""],
    ["a condition", "visits: { type: N }", "visits: { greater: -5 }"],
    ["a value of a copy", "visits: { type: N, copyOf: Order.total }", ""],
  ])("a number is not padded or reversed where %s is negative", (_, visits, condition) => {
    const complaints = (transform: string) =>
      complaintsOf(
        whole
          .replace("visits: { type: N, digits: 6 }", visits)
          .replace("total: { type: N, digits: 7,", "total: { type: N, values: [-3, 4],")
          .replace("where: { customerId: equals }", `where: { customerId: equals, ${condition} }`)
          .replace('C#{customerId}", SK: PROFILE', `C#{customerId}", SK: "{visits|${transform}}"`),
      ).join();
    const message = "'visits': the model states a negative value of it";
    expect(complaints("pad:5")).toContain(`cannot pad ${message}`);
    expect(complaints("descending")).toContain(`cannot reverse ${message}`);
  });

  test("workflows, plans and services name patterns, tables and indexes", () => {
    expect(complaintsOf(`${whole}workflows: { w: { steps: [1, 7] } }\n`)).toEqual([
      "m.yaml:42:30: workflows.w.steps[1] names '7', which is no pattern; there are 1, 2",
    ]);
    const plan = (step: string) =>
      complaintsOf(`${whole}  plans: { 1: { steps: [{ ${step} }] } }\n`).join();
    expect(plan("operation: Query, index: ByStatu")).toContain(
      "index names 'ByStatu', which is no index; did you mean 'ByStatus'?",
    );
    expect(plan("operation: GetItem, table: Shpo")).toContain(
      "table names 'Shpo', which is no table; did you mean 'Shop'?",
    );
    expect(plan("operation: GetItem, index: ByStatus")).toContain("index is for Query and Scan");
    expect(plan("operation: Query, key: { P: x }")).toContain(
      "key.P names 'P', which is no key attribute of Shop; did you mean 'PK'?",
    );
    expect(plan("operation: Query, key: { PK: '{emial}' }")).toContain("did you mean 'email'?");
    expect(plan("operation: Query, index: ByStatus, key: { open: open }")).toBe("");
    expect(complaintsOf(`${whole}  services: [{ name: S3, for: [8] }]\n`).join()).toContain(
      "services[0].for[0] names '8'",
    );
  });
});

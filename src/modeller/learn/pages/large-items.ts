import type { PatternPage } from "../page.ts";

export const page: PatternPage = {
  id: "large-items",
  summary:
    "Photos, documents and other large values lie in S3; the item holds the key of the object.",
  when: [
    "A value can come near 400 KB, or is large and seldom read with the rest.",
    "Clients could load it directly, through a signed link.",
  ],
  how: [
    "Write the object first, under a key that is never reused, then the item with that key. Delete in the other order. A consumer of the stream removes objects whose items are gone.",
    "Texts of some tens of KB may stay: compress them into a B attribute, or split them off.",
  ],
  pitfalls: [
    "S3 and the table do not share transactions: plan for objects without items, never for items without objects.",
    "Base64 in an S attribute makes bytes a third larger; B does not.",
    "An update of any other attribute pays for the large value too, as long as it is inside.",
  ],
  example: {
    model: `
keywright: 1
name: photos
overview: { domain: accounts, scale: { users: 500_000 } }
entities:
  Profile:
    id: [userId]
    count: 500_000
    attributes:
      userId: { type: S, format: ulid }
      name: { type: S, bytes: 30 }
      photo: { type: B, bytes: 300 KB, present: 0.4 }
      photoKey: { type: S, bytes: 60, present: 0.4 }
patterns:
  profile:
    name: A profile
    read: Profile
    where: { userId: equals }
    returns: [userId, name, photoKey]
    rps: { average: 100, peak: 600 }
  photo:
    name: Change the photo
    update: Profile
    where: { userId: equals }
    changes: [photoKey]
    condition: exists
    rps: { average: 1, peak: 10 }
  join: { name: Sign up, create: Profile, condition: absent, rps: { average: 1, peak: 9 } }
design:
  tables:
    Profiles:
      purpose: profiles; photos lie in S3
      key: { userId: S }
      entities:
        Profile:
          key: { userId: "{userId}" }
          elsewhere: [{ attribute: photo, service: S3, pointer: photoKey }]
`,
    requests: [
      {
        pattern: "photo",
        operation: "UpdateItem",
        input: {
          TableName: "Profiles",
          Key: { userId: { S: "01J9" } },
          UpdateExpression: "SET photoKey = :key",
          ConditionExpression: "attribute_exists(userId)",
          ExpressionAttributeValues: { ":key": { S: "photos/01J9/01JE.jpg" } },
        },
      },
    ],
  },
  see: {
    topics: ["item-size", "vertical-split", "streams"],
    examples: ["device-readings", "code-hosting", "documents"],
    rules: ["blob-in-item", "item-too-large", "item-near-limit"],
  },
};

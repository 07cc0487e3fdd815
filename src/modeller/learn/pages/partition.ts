import type { ConceptPage } from "../page.ts";

export const page: ConceptPage = {
  id: "partition",
  summary:
    "A partition is a slice of the key space on storage of its own; it serves 3,000 read and 1,000 write units a second and holds 10 GB.",
  what: [
    "The partition key is hashed, and the hash says which partition an item lies in. All items with one partition key lie together, in the order of their sort key; only a large or busy collection is spread over several partitions.",
    "A new on-demand table starts with about four partitions (12,000 reads, 4,000 writes a second). Partitions split when they are full, when a table is given more throughput, or when they stay hot. They never merge.",
  ],
  follows: [
    "The ceiling belongs to the partition, not to the table. A table with 40,000 units serves 1,000 writes for one key. Throughput comes from many keys, and no billing mode changes that. Indexes have partitions of their own with the same ceilings.",
  ],
  see: {
    topics: ["hot-partitions", "adaptive-capacity-and-splits", "burst", "partition-key"],
    rules: ["hot-partition-write", "hot-partition-read", "cold-start"],
  },
};

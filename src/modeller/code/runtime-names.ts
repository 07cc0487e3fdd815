/** Where the helpers of generated code are: the files of the runtime by what they export. */
const modules: Readonly<Record<string, readonly string[]>> = {
  access: ["accessBase", "AccessBase", "AccessOptions", "PageOptions", "Senders"],
  "access-reads": [
    "distinct",
    "getFew",
    "getItem",
    "getItems",
    "getTogether",
    "kindAt",
    "listEach",
    "listItems",
    "mapsIn",
    "ofGroups",
    "pageItems",
    "scopeOf",
    "sortedOut",
    "thereOf",
    "withValues",
  ],
  "access-writes": [
    "countIn",
    "ifThere",
    "releaseOf",
    "statedWrite",
    "totalOf",
    "Write",
    "writeEach",
    "writeMany",
    "writeOf",
    "writeOne",
    "writeTogether",
  ],
  conditions: [
    "absent",
    "allOf",
    "asRead",
    "atLeast",
    "atMost",
    "beginsWith",
    "between",
    "containing",
    "createOnly",
    "equalTo",
    "expressionsOf",
    "greaterThan",
    "lessThan",
    "mustExist",
    "oneOf",
    "present",
    "unchanged",
  ],
  errors: [
    "AlreadyExistsError",
    "ConditionFailedError",
    "NotFoundError",
    "NotUniqueError",
    "PatternError",
    "VersionConflictError",
  ],
  expression: ["UpdateBuilder"],
  holds: ["byAttributes", "hasShape", "holds", "only", "sameValue", "taken"],
  "key-parts": ["cutTime", "descending", "keyText", "padded"],
  pages: ["ListPage"],
  period: ["Period", "periodName", "periodsBetween", "periodStart"],
  shard: ["allShards", "calculatedShard", "shardText", "timeShard"],
  span: ["lastPeriods", "momentOf", "periodOf", "periodsWithin", "spanBetween"],
  transact: ["checkMember", "deleteMember", "putMember", "updateMember"],
  ttl: ["expiresIn"],
  values: ["Attributes", "pickAttributes"],
};

const homes = new Map(
  Object.entries(modules).flatMap(([file, names]) => names.map((name) => [name, file] as const)),
);

/** Names that the runtime uses, so that nothing generated has them. */
export const runtimeNames: readonly string[] = [...homes.keys()];

/** The file of the runtime that has a helper. */
export function homeOf(name: string): string {
  const home = homes.get(name);
  if (home === undefined) throw new Error(`the runtime has no ${name}`);
  return home;
}

/** The files that generated code begins with; what they import is found from there. */
export const runtimeFiles: readonly string[] = Object.keys(modules);

import { accountCapacityUnitsMax, tableCapacityUnitsMax } from "../api/limits.ts";
import {
  type DescribeLimitsRequest,
  describeLimitsShape,
} from "../api/requests/describe-limits.ts";
import type { Operation } from "./operation.ts";

export const describeLimits: Operation<DescribeLimitsRequest> = {
  name: "DescribeLimits",
  shape: describeLimitsShape,
  run() {
    return {
      AccountMaxReadCapacityUnits: accountCapacityUnitsMax,
      AccountMaxWriteCapacityUnits: accountCapacityUnitsMax,
      TableMaxReadCapacityUnits: tableCapacityUnitsMax,
      TableMaxWriteCapacityUnits: tableCapacityUnitsMax,
    };
  },
};

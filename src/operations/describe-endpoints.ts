import {
  type DescribeEndpointsRequest,
  describeEndpointsShape,
} from "../api/requests/describe-endpoints.ts";
import type { Operation } from "./operation.ts";

/** A day, as the service says. */
const cacheMinutes = 1_440;

export const describeEndpoints: Operation<DescribeEndpointsRequest> = {
  name: "DescribeEndpoints",
  shape: describeEndpointsShape,
  run({ address }) {
    const Address = address?.() ?? "localhost";
    return { Endpoints: [{ Address, CachePeriodInMinutes: cacheMinutes }] };
  },
};

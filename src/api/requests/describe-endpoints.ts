import { struct } from "../shape.ts";

export type DescribeEndpointsRequest = Record<never, never>;

export const describeEndpointsShape = struct<DescribeEndpointsRequest>(
  "DescribeEndpointsRequest",
  {},
);

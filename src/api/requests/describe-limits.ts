import { struct } from "../shape.ts";

export type DescribeLimitsRequest = Record<never, never>;

export const describeLimitsShape = struct<DescribeLimitsRequest>("DescribeLimitsInput", {});

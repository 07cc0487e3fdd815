import { unitTests } from "./unit-tests.ts";

unitTests("read", { patterns: 80, exact: 40 });

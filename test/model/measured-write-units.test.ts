import { unitTests } from "./unit-tests.ts";

unitTests("write", { patterns: 80, exact: 60 });

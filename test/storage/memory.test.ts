import { openMemoryStore } from "../../src/storage/memory/memory-store.ts";
import { describeStoreContract } from "./contract.ts";

describeStoreContract("memory", async () => ({ store: openMemoryStore() }));

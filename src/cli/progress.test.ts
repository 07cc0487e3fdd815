import { expect, test, vi } from "vitest";
import { barText, clearBar, progressBar } from "./progress.ts";

test("a bar fills as work is done", () => {
  expect(barText("Proving", 0, 4)).toBe(`Proving [${"-".repeat(24)}] 0 of 4`);
  expect(barText("Proving", 1, 4)).toBe(`Proving [${"#".repeat(6)}${"-".repeat(18)}] 1 of 4`);
  expect(barText("Proving", 4, 4)).toBe(`Proving [${"#".repeat(24)}] 4 of 4`);
  expect(barText("Proving", 0, 0)).toBe(`Proving [${"-".repeat(24)}] 0 of 0`);
});

test("without an end in sight it counts", () => {
  expect(barText("Loading Orders", 12)).toBe("Loading Orders: 12 so far");
});

test("a bar that does not know its end is seen until it is cleared", () => {
  const written = onTerminal(() => {
    const bar = progressBar("Loading Orders");
    bar(0);
    bar(12);
    clearBar();
  });
  expect(written).toBe(
    "\r\u001b[KLoading Orders: 0 so far\r\u001b[KLoading Orders: 12 so far\r\u001b[K",
  );
});

/** What goes to stderr if it is a terminal. */
function onTerminal(work: () => void): string {
  const before = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  try {
    work();
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
    else Object.defineProperty(process.stderr, "isTTY", before);
    write.mockRestore();
  }
}

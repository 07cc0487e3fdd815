import { expect } from "vitest";

/** Tags that open and close in order, attributes in quotes, no bare signs: enough for what we write. */
export function checkWellFormed(xml: string): void {
  const open: string[] = [];
  const rest = xml.replaceAll(
    /<(\/?)([a-zA-Z]+)((?: [a-zA-Z:-]+="[^"<>&]*")*)(\/?)>/g,
    (_, close, name, _attributes, empty) => {
      if (close === "/") expect(open.pop()).toBe(name);
      else if (empty !== "/") open.push(name as string);
      return "";
    },
  );
  expect(open).toEqual([]);
  expect(rest.replaceAll(/&#\d+;/g, "")).not.toMatch(/[<>&]/);
}

import { printable } from "../../base/printable.ts";
import type { PatternProof } from "./prove.ts";

/** The result of a proof in words. */
export function proofText(proofs: readonly PatternProof[]): string {
  const lines: string[] = [];
  const width = Math.max(...proofs.map(({ pattern }) => pattern.length), 7);
  lines.push(
    `${"pattern".padEnd(width)}  result     calls  units measured  estimated  mutants killed`,
  );
  for (const proof of proofs) lines.push(...patternLines(proof, width));
  const tried = proofs.filter(({ skipped }) => skipped === undefined);
  const failed = tried.filter(({ failure }) => failure !== undefined).length;
  const mutants = tried.flatMap((one) => one.mutants);
  const killed = mutants.filter((one) => one.killed).length;
  lines.push(
    "",
    `${tried.length - failed} of ${tried.length} patterns proved; ${killed} of ${mutants.length} wrong designs found out.`,
  );
  return `${lines.join("\n")}\n`;
}

function patternLines(
  { pattern, name, skipped, failure, calls, units, mutants }: PatternProof,
  width: number,
): readonly string[] {
  const id = printable(pattern).padEnd(width);
  if (skipped !== undefined) return [`${id}  not tried: ${printable(skipped)}`];
  const killed = mutants.filter((one) => one.killed).length;
  const row = [
    id,
    failure === undefined ? "proved   " : "NOT RIGHT",
    number(calls).padStart(5),
    number(units.measured).padStart(14),
    number(units.estimated).padStart(9),
    `${killed} of ${mutants.length}`,
  ].join("  ");
  const margin = `${" ".repeat(width)}    `;
  const alive = mutants.filter((one) => !one.killed);
  return [
    row,
    ...alive.map(({ name: what, reason }) =>
      reason === undefined
        ? `${margin}NOT FOUND OUT: ${printable(what)}`
        : `${margin}no answer can tell: ${printable(what)} (${printable(reason)})`,
    ),
    ...(failure === undefined
      ? []
      : [
          `${" ".repeat(width)}    ${printable(name)}: ${printable(failure.what)}`,
          `${" ".repeat(width)}    with ${printable(JSON.stringify(Object.fromEntries(failure.parameters)))}`,
          ...failure.requests
            .slice(0, 3)
            .map(
              ({ operation, request }) =>
                `${" ".repeat(width)}    ${operation} ${printable(JSON.stringify(request))}`,
            ),
        ]),
  ];
}

function number(value: number): string {
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}

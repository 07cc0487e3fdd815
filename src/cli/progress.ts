const barWidth = 24;
const emptyLine = "\r\u001b[K";

/** A bar that fills on stderr, only where somebody looks on. */
export function progressBar(what: string): (done: number, total?: number) => void {
  return (done, total) => {
    if (process.stderr.isTTY !== true) return;
    process.stderr.write(`${emptyLine}${done === total ? "" : barText(what, done, total)}`);
  };
}

/** Takes away a bar that was not told that all is done. */
export function clearBar(): void {
  if (process.stderr.isTTY === true) process.stderr.write(emptyLine);
}

/** Where nobody knows how much there is, it counts. */
export function barText(what: string, done: number, total?: number): string {
  if (total === undefined) return `${what}: ${done} so far`;
  const filled = Math.floor((barWidth * done) / Math.max(1, total));
  return `${what} [${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${done} of ${total}`;
}

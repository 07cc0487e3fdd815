const barWidth = 24;

/** A bar that fills on stderr, only where somebody looks on. */
export function progressBar(what: string): (done: number, total: number) => void {
  return (done, total) => {
    if (process.stderr.isTTY !== true) return;
    process.stderr.write(`\r\u001b[K${done === total ? "" : barText(what, done, total)}`);
  };
}

export function barText(what: string, done: number, total: number): string {
  const filled = Math.floor((barWidth * done) / Math.max(1, total));
  return `${what} [${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${done} of ${total}`;
}

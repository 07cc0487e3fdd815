/** Figures as pages show them. */

export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

const units = ["bytes", "KB", "MB", "GB"] as const;

/** In the largest unit that leaves a whole number. */
export function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  while (amount % 1_024 === 0 && unit < units.length - 1) {
    amount /= 1_024;
    unit += 1;
  }
  return `${count(amount)} ${units[unit]}`;
}

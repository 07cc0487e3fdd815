/** Counts and sizes as people read them. */

export const countText = (count: number): string => count.toLocaleString("en-US");

export const amountText = (count: number, one: string, many: string): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

const steps = ["B", "KB", "MB", "GB", "TB"];

export function bytesText(bytes: number): string {
  let amount = bytes;
  let step = 0;
  while (amount >= 1024 && step < steps.length - 1) {
    amount /= 1024;
    step += 1;
  }
  return `${step === 0 ? amount : amount.toFixed(1)} ${steps[step]}`;
}

export function rateText(count: number, milliseconds: number): string {
  const seconds = Math.max(milliseconds, 1) / 1_000;
  return `${seconds.toFixed(1)} s, ${countText(Math.round(count / seconds))} items/s`;
}

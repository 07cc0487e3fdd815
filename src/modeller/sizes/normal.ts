/** The share of a normal distribution that lies above `deviations` from its middle. */
export function normalAbove(deviations: number): number {
  const x = Math.abs(deviations) / Math.SQRT2;
  const upper = 0.5 * complementaryError(x);
  return deviations >= 0 ? upper : 1 - upper;
}

/** erfc by a rational fit in Chebyshev form; the relative error is below 1.2E-7 everywhere. */
function complementaryError(x: number): number {
  const t = 1 / (1 + 0.5 * x);
  let sum = 0;
  for (const coefficient of fit) sum = sum * t + coefficient;
  return t * Math.exp(-x * x + sum);
}

/** From the highest power of t to the lowest. */
const fit = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
  1.00002368, -1.26551223,
];

import { expect, test } from "vitest";
import { ByteDistribution, expectedUnitsOfSum, sumOf } from "./distribution.ts";
import { normalAbove } from "./normal.ts";

const KB = 1_024;

test("expected units are not the units of the expected size", () => {
  // Half of the items have 100 B and half 1,900 B: 1,000 B on average, which would be 1 unit.
  const size = ByteDistribution.shares([
    { bytes: 100, share: 0.5 },
    { bytes: 1_900, share: 0.5 },
  ]);
  expect(size.mean).toBe(1_000);
  expect(size.expectedUnits(KB)).toBe(1.5);
});

test("a size at the edge of a unit", () => {
  expect(ByteDistribution.fixed(0).expectedUnits(KB)).toBe(1);
  expect(ByteDistribution.fixed(1_024).expectedUnits(KB)).toBe(1);
  expect(ByteDistribution.fixed(1_025).expectedUnits(KB)).toBe(2);
  expect(ByteDistribution.uniform(1_024, 1_025).expectedUnits(KB)).toBe(1.5);
});

test("shares need not make 1 to the last digit", () => {
  const thirds = [100, 2_000, 4_000].map((bytes) => ({ bytes, share: 0.333 }));
  expect(ByteDistribution.shares(thirds).expectedUnits(KB)).toBeCloseTo((1 + 2 + 4) / 3, 12);
});

test("many fixed sizes are exact, however many they are", () => {
  const size = ByteDistribution.fixed(200);
  expect(expectedUnitsOfSum(size, 1_000_000, 4 * KB)).toBe(Math.ceil(200_000_000 / 4_096));
  // 2.5 of them: 2 make 3,000 B, one unit; 3 make 4,500 B, two units.
  expect(expectedUnitsOfSum(ByteDistribution.fixed(1_500), 2.5, 4 * KB)).toBe(1.5);
});

/** The sums of so many uniform sizes, by a running sum over all of them. */
function uniformSums(min: number, max: number, times: number): Float64Array {
  let weights = Float64Array.of(1);
  for (let n = 0; n < times; n += 1) {
    const sums = new Float64Array(weights.length + max);
    let within = 0;
    for (let i = 0; i < sums.length; i += 1) {
      within += weights[i - min] ?? 0;
      within -= weights[i - max - 1] ?? 0;
      sums[i] = within / (max - min + 1);
    }
    weights = sums;
  }
  return weights;
}

test("where sums are too long to be exact, the normal distribution is near them", () => {
  // 200 with 301 sizes each: 12 million steps, which is more than are taken.
  const size = ByteDistribution.uniform(50, 350);
  const sums = uniformSums(50, 350, 200);
  for (const unit of [16, KB, 4 * KB, 40 * KB]) {
    const expected = sums.reduce((all, share, sum) => all + share * Math.ceil(sum / unit), 0);
    expect(expectedUnitsOfSum(size, 200, unit)).toBeCloseTo(expected, 3);
  }
  const above = sums.reduce((all, share, sum) => all + (sum > 41_000 ? share : 0), 0);
  expect(size.times(200).probabilityAbove(41_000)).toBeCloseTo(above, 3);
});

function binomial(times: number, share: number): readonly number[] {
  const chances = [(1 - share) ** times];
  for (let k = 0; k < times; k += 1) {
    chances.push((((chances[k] as number) * (times - k)) / (k + 1)) * (share / (1 - share)));
  }
  return chances;
}

test("of many, a few are large: how many is counted out, not taken as normal", () => {
  // 70 items of 150 B, of which one in fifty has 3,000 B more.
  const size = ByteDistribution.fixed(3_000).present(0.02).plus(150);
  const expected = binomial(70, 0.02).reduce(
    (all, chance, large) => all + chance * Math.ceil((70 * 150 + large * 3_000) / 4_096),
    0,
  );
  expect(expectedUnitsOfSum(size, 70, 4 * KB)).toBeCloseTo(expected, 8);
  // A normal sum would say 4.1221.
  expect(expected).toBeCloseTo(4.2322, 3);
  // The other way round: one in fifty is small.
  const other = ByteDistribution.fixed(3_000).present(0.98).plus(150);
  const most = binomial(70, 0.02).reduce(
    (all, chance, small) => all + chance * Math.ceil((70 * 3_150 - small * 3_000) / 4_096),
    0,
  );
  expect(expectedUnitsOfSum(other, 70, 4 * KB)).toBeCloseTo(most, 8);
});

test("what is around two humps stays around them", () => {
  const size = ByteDistribution.uniform(1_000, 1_400).present(0.02).plus(150);
  for (const unit of [KB, 4 * KB]) {
    const expected = binomial(38, 0.02)
      .slice(0, 8)
      .reduce((all, chance, large) => {
        const sums = uniformSums(1_000, 1_400, large);
        const units = sums.reduce(
          (sum, share, bytes) => sum + share * Math.ceil((38 * 150 + bytes) / unit),
          0,
        );
        return all + chance * units;
      }, 0);
    expect(Math.abs(expectedUnitsOfSum(size, 38, unit) / expected - 1)).toBeLessThan(0.01);
  }
  // Its mean is kept.
  expect(expectedUnitsOfSum(size, 10_000, 16) * 16).toBeCloseTo(size.mean * 10_000 + 7.5, 0);
});

test("a mixture of many with humps is still one of whole sizes", () => {
  const many = ByteDistribution.shares([
    { bytes: 100, share: 0.5 },
    { bytes: 101, share: 0.48 },
    { bytes: 900, share: 0.02 },
  ]).times(100);
  const half = many.present(0.5);
  expect(half.mean).toBeCloseTo(many.mean / 2, 1);
  expect(half.expectedUnits(KB)).toBeCloseTo(0.5 + many.expectedUnits(KB) / 2, 2);
});

test("very many: every size within a unit is as likely", () => {
  const units = expectedUnitsOfSum(ByteDistribution.uniform(0, 200_000), 1_000_000, KB);
  expect(units).toBeCloseTo(1e11 / KB + 1_023 / 2_048, 3);
});

test("a large part that is seldom there keeps its two humps", () => {
  const photo = ByteDistribution.fixed(200_000).present(0.3);
  const page = photo.plus(ByteDistribution.uniform(100, 300)).times(10);
  let expected = 0;
  let binomial = 0.7 ** 10;
  for (let photos = 0; photos <= 10; photos += 1) {
    const rest = ByteDistribution.uniform(100, 300)
      .times(10)
      .plus(200_000 * photos);
    expected += binomial * rest.expectedUnits(4 * KB);
    binomial *= ((10 - photos) / (photos + 1)) * (0.3 / 0.7);
  }
  expect(page.expectedUnits(4 * KB)).toBeCloseTo(expected, 6);
});

test("wide parts with holes are drawn coarser before anything is given up", () => {
  const tail = ByteDistribution.uniform(0, 300).times(3).present(0.2).plus(100);
  const item = sumOf([
    { distribution: tail, count: 1 },
    { distribution: tail.plus(1), count: 1 },
    { distribution: ByteDistribution.uniform(0, 10), count: 1 },
  ]);
  const likely = tail.points();
  let expected = 0;
  for (const one of likely) {
    expected +=
      one.share *
      tail
        .plus(one.bytes + 1)
        .plus(ByteDistribution.uniform(0, 10))
        .expectedUnits(KB);
  }
  expect(item.expectedUnits(KB) / expected).toBeCloseTo(1, 3);
});

test("the normal distribution's tails", () => {
  expect(normalAbove(0)).toBeCloseTo(0.5, 6);
  expect(normalAbove(1.959964)).toBeCloseTo(0.025, 6);
  expect(normalAbove(-1.281552)).toBeCloseTo(0.9, 6);
  expect(normalAbove(6)).toBeCloseTo(9.866e-10, 12);
});

test("of many items that are one of two sizes, none is forgotten", () => {
  // The chance that all 1,500 are small is below the least number that there is.
  const size = ByteDistribution.shares([
    { bytes: 108, share: 0.5 },
    { bytes: 111, share: 0.5 },
  ]);
  const units = expectedUnitsOfSum(size, 1_500, 4 * KB);
  expect(units).toBeCloseTo((1_500 * 109.5) / (4 * KB) + 0.5, 0);
});

import { expect, test } from "vitest";
import { pricedModel, reportFor } from "./report.test-support.ts";
import { costText } from "./text.ts";
import { textTable } from "./text-table.ts";

const text = costText(reportFor(pricedModel));

test("the whole of a small bill", () => {
  expect(text).toMatchInlineSnapshot(`
    "shop costs $290.34 a month in us-east-1, $619.23 if the peak lasted all month.
    A month has 730 hours; prices of 2026-11-16, without taxes, discounts and the free tier.
    * rests on an assumed number, ~ on a price that is derived or unsure.

       pattern   requests/s   peak  read units/s  write units/s  $/month  at peak  share  $/million
    2  Place             10     50             0             20  69.90*~   349.52   24 %       2.66
    1  An order         400  1,000           100              0    32.85    82.13   11 %       0.03

    table or index       reads  writes  storage   other  $/month  at peak
    Orders               32.85   32.85     0.49  186.54  252.73*   433.40
    Orders in eu-west-1   0.00   37.05     0.55    0.00  37.61*~   185.83
    all                  32.85   69.90     1.04  186.54   290.34   619.23

    not by a pattern                                                              $/month
    Orders            point-in-time recovery  1.95 GB at $0.2                        0.39
    Orders            cache                   1 × dax.r5.large at $0.255 an hour   186.15

    Orders: throughput and storage cost $103.80; auto scaling, reserved for 3 years would cost $38.33, $65.47 less.
            $38.33  auto scaling, reserved for 3 years
            $42.51  auto scaling, reserved for 1 year
            $45.25  auto scaling at 70 %
            $55.30~ auto scaling at 70 %, Standard-IA
           $103.80~ on-demand
           $125.87  provisioned for the peak
           $128.66~ on-demand, Standard-IA
           $155.61~ provisioned for the peak, Standard-IA
      Auto scaling follows within minutes: a peak that comes faster is throttled.
      Provisioned capacity is cheaper than on-demand if more than 28.9 % of it is used; of capacity for the peak 26.7 % would be.
      Standard-IA is cheaper if storage is above 41.3 % of throughput; it is 1.0 %.

    The largest line is the cache of Orders: $186.15.
      Pattern 2 (Place) becomes the largest above 26.63 requests/s; it has 10.
      Pattern 1 (An order) becomes the largest above 2,267 requests/s; it has 400.
      Twice the requests of pattern 2: $69.90 more.
      Twice the requests of pattern 1: $32.85 more.
      Twice what Orders stores: $1.43 more.
      1 % more of all requests and bytes: $1.04 more.

    Not in the bill: pattern 3: how often it happens on average is not known.
    ~ as for plain writes: since November 2024 replicated writes cost the same.
    Not in the bill: data transfer, restores ($0.15/GB), exports (~$0.1/GB) and imports (~$0.15/GB).
    The free tier would take off up to $0.49, if nothing else in the account uses it.
    "
  `);
});

test("names of others are shown, not obeyed", () => {
  const hostile = pricedModel.replace("name: An order", 'name: "An \\x1b[2J\\u202Eorder"');
  const shown = costText(reportFor(hostile));
  for (const sign of ["\u001b", "\u202e"]) expect(shown).not.toContain(sign);
  expect(shown).toContain("An \\u{1b}[2J\\u{202e}order");
});

test("columns: names left, numbers right, by signs and not by code units", () => {
  expect(
    textTable(
      ["a", "n"],
      [
        ["😀", "1"],
        ["bc", "10"],
      ],
      1,
    ),
  ).toEqual(["a    n", "😀    1", "bc  10"]);
});

import { expect, test } from 'vitest';
import { quantileBetween, readScrape, sumOf } from '../../../../cli/daemon-control/top/scrape.ts';

const TEXT = `# HELP a_total How many.
# TYPE a_total counter
a_total{model="x",kind="one"} 3
a_total{model="x",kind="a \\"quoted\\" }, name"} 4
a_total{model="y",kind="one"} 1.5
b 7
h_bucket{le="0.1"} 5
h_bucket{le="1"} 10
h_bucket{le="+Inf"} 10
`;

test('series are found by their labels and summed', () => {
  const scrape = readScrape(TEXT);
  expect(sumOf(scrape, 'a_total')).toBe(8.5);
  expect(sumOf(scrape, 'a_total', { model: 'x' })).toBe(7);
  expect(sumOf(scrape, 'a_total', { kind: 'a "quoted" }, name' })).toBe(4);
  expect(sumOf(scrape, 'b')).toBe(7);
  expect(sumOf(scrape, 'none')).toBe(0);
});

test('a quantile lies within its bucket, and counts only new samples', () => {
  const scrape = readScrape(TEXT);
  expect(quantileBetween(undefined, scrape, 'h', 0.5)).toBeCloseTo(0.1);
  expect(quantileBetween(undefined, scrape, 'h', 0.75)).toBeCloseTo(0.55);
  const before = readScrape(TEXT.replace('"1"} 10', '"1"} 5').replace('"+Inf"} 10', '"+Inf"} 5'));
  expect(quantileBetween(before, scrape, 'h', 0.5)).toBeCloseTo(0.55);
  expect(quantileBetween(scrape, scrape, 'h', 0.5)).toBeUndefined();
});

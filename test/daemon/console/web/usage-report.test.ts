import { expect, test } from 'vitest';
import { toCsv } from '../../../../daemon/console/web/screens/usage/csv.ts';
import { namesOf, seriesOf, timesOf } from '../../../../daemon/console/web/screens/usage/report.ts';
import type { Usage } from '../../../../src/api/account/usage.ts';

const NOTHING = {
  ...{ requests: 0, failed_requests: 0, prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0 },
  ...{ characters: 0, seconds: 0, images: 0, credits: 0 },
};

function usageOf(rows: readonly (Partial<Usage['data'][number]> & { start: string })[]): Usage {
  return {
    from: '2026-11-01T05:00:00Z',
    to: '2026-11-04T12:00:00Z',
    bucket: 'day',
    group_by: 'model',
    data: rows.map((row) => ({ ...NOTHING, ...row })),
    total: NOTHING,
  };
}

const byModel = namesOf('model', []);

test('days without a request are in the chart, as zero', () => {
  const usage = usageOf([{ start: '2026-11-03T00:00:00Z', model: 'a', credits: 2 }]);
  expect(timesOf(usage).map((time) => new Date(time * 1000).getUTCDate())).toEqual([1, 2, 3, 4]);
  expect(seriesOf(usage, 'credits', byModel)).toEqual([{ name: 'a', values: [0, 0, 2, 0], total: 2 }]);
});

test('the largest come first, and the smallest are combined', () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({
    start: '2026-11-02T00:00:00Z',
    model: `model ${index}`,
    prompt_tokens: index,
    completion_tokens: 1,
  }));
  const series = seriesOf(usageOf(rows), 'tokens', byModel);
  expect(series.map(({ name, total }) => [name, total])).toEqual([
    ...[9, 8, 7, 6, 5, 4].map((index) => [`model ${index}`, index + 1]),
    ['4 others', 1 + 2 + 3 + 4],
  ]);
});

test('a key is shown by its name, as are deleted keys, the page and the command line', () => {
  const nameOf = namesOf('key', [{ id: 'key_1', name: 'app' } as never]);
  const rows = ['key_1', '', 'playground', 'playground_mem_1', 'key_0'].map((key) => ({
    start: '2026-11-02T00:00:00Z',
    key,
    requests: 1,
  }));
  expect(seriesOf(usageOf(rows), 'requests', nameOf).map(({ name }) => name)).toEqual([
    'app',
    'command line',
    'playground',
    'members’ playground',
    'revoked key key_0',
  ]);
});

test('a name in the CSV is data, whatever it holds', () => {
  const names = ['plain', '=1+1', 'a "b", c', '@x'];
  const rows = names.map((model) => ({ start: '2026-11-02T00:00:00Z', model }));
  const lines = toCsv(usageOf(rows), byModel).split('\r\n');
  expect(lines[0]).toBe(
    'start,name,requests,failed_requests,prompt_tokens,cached_tokens,completion_tokens,characters,seconds,images,credits',
  );
  expect(
    lines
      .slice(1, -1)
      .map((line) => line.slice('2026-11-02T00:00:00Z,'.length, -',0,0,0,0,0,0,0,0,0'.length)),
  ).toEqual(['plain', "'=1+1", '"a ""b"", c"', "'@x"]);
});

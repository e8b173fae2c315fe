import { expect, test } from 'vitest';
import { createRegistry } from '../../../daemon/telemetry/registry.ts';

test('counters and gauges are written with their labels', () => {
  const registry = createRegistry();
  const count = registry.counter('a_total', 'How many.', ['model', 'kind']);
  registry.gauge('b', 'How much.', () => [[{ place: 'x' }, 2.5]]);
  count({ model: 'one', kind: 'k' });
  count({ model: 'one', kind: 'k' }, 2);
  count({ model: 'a"b\\c\nd', kind: 'k' });
  expect(registry.text()).toBe(
    [
      '# HELP a_total How many.',
      '# TYPE a_total counter',
      'a_total{model="one",kind="k"} 3',
      'a_total{model="a\\"b\\\\c\\nd",kind="k"} 1',
      '# HELP b How much.',
      '# TYPE b gauge',
      'b{place="x"} 2.5',
      '',
    ].join('\n'),
  );
});

test('a histogram counts each value in all buckets that hold it', () => {
  const registry = createRegistry();
  const observe = registry.histogram('h', 'How long.', { buckets: [0.1, 1], labels: ['m'] });
  for (const value of [0.1, 0.5, 7]) observe({ m: 'x' }, value);
  expect(registry.text().split('\n').slice(2)).toEqual([
    'h_bucket{m="x",le="0.1"} 1',
    'h_bucket{m="x",le="1"} 2',
    'h_bucket{m="x",le="+Inf"} 3',
    'h_sum{m="x"} 7.6',
    'h_count{m="x"} 3',
    '',
  ]);
});

test('a family has a bounded number of series', () => {
  const registry = createRegistry();
  const count = registry.counter('a_total', 'How many.', ['name']);
  for (let name = 0; name < 5000; name++) count({ name: String(name) });
  expect(
    registry
      .text()
      .split('\n')
      .filter((line) => line.startsWith('a_total')),
  ).toHaveLength(2000);
});

test('a name can be used only once', () => {
  const registry = createRegistry();
  registry.counter('a_total', 'How many.');
  expect(() => registry.counter('a_total', 'Again.')).toThrow('is there already');
  expect(registry.text()).toContain('\na_total 0\n');
});

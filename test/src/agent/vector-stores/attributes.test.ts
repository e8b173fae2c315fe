import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/errors.ts';
import { readFilter } from '../../../../src/agent/vector-stores/attributes.ts';

const FILE = { author: 'kim', year: 2024, draft: false };
const passes = (filter: unknown, attributes = FILE) => readFilter(filter, 'filters')(attributes);

describe('a filter', () => {
  test.each([
    [{ type: 'eq', key: 'author', value: 'kim' }, true],
    [{ type: 'eq', key: 'year', value: '2024' }, false],
    [{ type: 'ne', key: 'author', value: 'lee' }, true],
    [{ type: 'ne', key: 'absent', value: 1 }, true],
    [{ type: 'gt', key: 'year', value: 2023 }, true],
    [{ type: 'gt', key: 'year', value: '2023' }, false],
    [{ type: 'gte', key: 'year', value: 2024 }, true],
    [{ type: 'lt', key: 'year', value: 2024 }, false],
    [{ type: 'lte', key: 'absent', value: 9 }, false],
    [{ type: 'eq', key: 'draft', value: false }, true],
    [{ type: 'in', key: 'author', value: ['lee', 'kim'] }, true],
    [{ type: 'nin', key: 'author', value: ['lee', 'kim'] }, false],
    [{ type: 'nin', key: 'absent', value: ['lee'] }, true],
    [{ type: 'eq', key: 'constructor', value: 'kim' }, false],
  ])('%j passes: %j', (filter, expected) => {
    expect(passes(filter)).toBe(expected);
  });

  test('combines others, in any number of levels', () => {
    const kim = { type: 'eq', key: 'author', value: 'kim' };
    const old = { type: 'lt', key: 'year', value: 2000 };
    expect(passes({ type: 'and', filters: [kim, old] })).toBe(false);
    expect(passes({ type: 'or', filters: [old, { type: 'and', filters: [kim] }] })).toBe(true);
  });

  test.each([
    [{ type: 'like', key: 'a', value: 'b' }, 'filters.type'],
    [{ type: 'toString', key: 'a', value: 'b' }, 'filters.type'],
    [{ type: 'eq', value: 'b' }, 'filters.key'],
    [{ type: 'eq', key: 'a', value: {} }, 'filters.value'],
    [{ type: 'in', key: 'a', value: 'b' }, 'filters.value'],
    [{ type: 'and', filters: [] }, 'filters.filters'],
    [{ type: 'or', filters: [{ type: 'eq', key: 'a', value: 1 }, 7] }, 'filters.filters[1]'],
  ])('that is invalid is refused with the place of its mistake: %j', (filter, param) => {
    try {
      passes(filter);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect(error).toMatchObject({ code: 'invalid_value', param });
    }
  });

  test('ends, however deep and wide it is', () => {
    let deep: object = { type: 'eq', key: 'a', value: 1 };
    for (let level = 0; level < 20; level += 1) deep = { type: 'and', filters: [deep] };
    expect(() => passes(deep)).toThrow('at most 64 parts in 8 levels');
    const wide = {
      type: 'or',
      filters: Array.from({ length: 100 }, () => ({ type: 'eq', key: 'a', value: 1 })),
    };
    expect(() => passes(wide)).toThrow('at most 64 parts');
  });
});

import { toIso, type Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Trouble } from './trouble.ts';

/** Which of the matching requests a rule applies to: for example every third, at most five times. */
export type Turns = { every: number; times: number | null };

export type NewRule = Turns & { keyId: string; method: string; path: string; trouble: Trouble };

type Row = Turns & {
  id: string;
  key_id: string;
  method: string;
  path: string;
  trouble: string;
  created_at: number;
};
type Rule = Row & { asked: Trouble; seen: number };

/** Whether the rule applies to the request with this number, counted from 1. */
export function takes({ every, times }: Turns, number: number): boolean {
  return number % every === 0 && number / every <= (times ?? Infinity);
}

/** The rules of test keys, kept in memory because every request of such a key reads them. A restart resets their counts. */
export function createRules({ store, clock }: { store: Store; clock: Clock }) {
  let byKey = load(new Map());

  function load(counts: ReadonlyMap<string, number>): Map<string, Rule[]> {
    const byKey = new Map<string, Rule[]>();
    for (const row of store.prepare<Row>(ALL).all()) {
      const rule = { ...row, asked: JSON.parse(row.trouble) as Trouble, seen: counts.get(row.id) ?? 0 };
      byKey.set(row.key_id, [...(byKey.get(row.key_id) ?? []), rule]);
    }
    return byKey;
  }

  function reload(): void {
    byKey = load(new Map([...byKey.values()].flat().map(({ id, seen }) => [id, seen])));
  }

  function add({ keyId, method, path, every, times, trouble }: NewRule): string {
    const now = clock.now();
    const id = newId('sim', now);
    const stored = JSON.stringify(trouble);
    store.prepare(INSERT).run({ id, keyId, method, path, every, times, trouble: stored, now });
    reload();
    return id;
  }

  function remove(keyId: string, id: string): void {
    const { changes } = store.prepare('DELETE FROM simulations WHERE id = ? AND key_id = ?').run(id, keyId);
    if (changes === 0)
      throw new Failure('not_found', `The key has no simulation "${id}". List them: askd simulate list`, {
        param: 'id',
      });
    reload();
  }

  /** A key that replaces another keeps its rules. */
  function copy(fromKeyId: string, toKeyId: string): void {
    for (const { method, path, every, times, asked } of byKey.get(fromKeyId) ?? [])
      add({ keyId: toKeyId, method, path, every, times, trouble: asked });
  }

  /** Counts this request for every matching rule. The first rule that applies decides what happens. */
  function next(keyId: string, method: string, path: string): Trouble | undefined {
    const about = byKey.get(keyId)?.filter((rule) => rule.method === method && rule.path === path) ?? [];
    for (const rule of about) rule.seen += 1;
    return about.find((rule) => takes(rule, rule.seen))?.asked;
  }

  return {
    add,
    remove,
    copy,
    next,
    areAny: () => byKey.size > 0,
    of: (keyId: string) =>
      (byKey.get(keyId) ?? []).map(({ id, method, path, every, times, seen, asked, created_at: at }) => {
        return { id, method, path, every, times, seen, simulates: asked, created_at: toIso(at) };
      }),
  };
}

const ALL = 'SELECT * FROM simulations ORDER BY created_at, rowid';

const INSERT = `
  INSERT INTO simulations(id, key_id, method, path, every, times, trouble, created_at)
  VALUES(@id, @keyId, @method, @path, @every, @times, @trouble, @now)`;

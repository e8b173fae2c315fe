import { fits, minus, NO_BYTES, plus, sum, type Bytes } from '../memory.ts';

/** A model that waits for memory. */
export type MemoryRequest<Key> = { key: Key; need: Bytes };

/** A model that holds memory. */
export type Holding<Key> = {
  key: Key;
  bytes: Bytes;
  /** `settled` is loading: it can be neither evicted nor counted on. `leaving` will soon free its memory. */
  state: 'idle' | 'busy' | 'pinned' | 'settled' | 'leaving';
  lastUseAt: number;
  /** A busy model that was just loaded serves for a while before it can be evicted. */
  isTurnOver: boolean;
};

export type Decision<Key> = {
  start: Key[];
  /** Accept no new requests and leave when idle. */
  yield: Key[];
  /** Cannot fit while the pinned models stay. */
  refuse: { key: Key; need: Bytes; have: Bytes }[];
};

type Situation<Key> = {
  requests: readonly MemoryRequest<Key>[];
  holdings: readonly Holding<Key>[];
  budget: Bytes;
};

/**
 * Decides who may load and who is evicted, first come, first served. A request that cannot start yet does not block
 * those behind it, but they may only use what it will leave over. Idle models are evicted before busy ones, the least
 * recently used first.
 */
export function admit<Key>({ requests, holdings, budget }: Situation<Key>): Decision<Key> {
  const decision: Decision<Key> = { start: [], yield: [], refuse: [] };
  const pinned = sum(holdings.filter(({ state }) => state === 'pinned').map(({ bytes }) => bytes));
  const have = minus(budget, pinned);
  const candidates = byLastUse(holdings.filter(({ state }) => state === 'idle' || state === 'busy'));
  let used = sum(holdings.map(({ bytes }) => bytes));
  /** In use once everything that is leaving has left, and everything that was promised memory has it. */
  let promised = minus(
    used,
    sum(holdings.filter(({ state }) => state === 'leaving').map(({ bytes }) => bytes)),
  );
  let isFirstBlocked = true;

  function take(victims: readonly Holding<Key>[]): void {
    for (const victim of victims) {
      candidates.splice(candidates.indexOf(victim), 1);
      promised = minus(promised, victim.bytes);
      if (victim.state === 'idle' || victim.isTurnOver) decision.yield.push(victim.key);
    }
  }

  take(victimsFor(NO_BYTES, { promised, budget, candidates: candidates.filter(isIdle) }) ?? []);
  for (const { key, need } of requests) {
    if (!fits(need, have)) {
      decision.refuse.push({ key, need, have });
      continue;
    }
    const isFree = fits(plus(used, need), budget) && fits(plus(promised, need), budget);
    const idle = victimsFor(need, { promised, budget, candidates: candidates.filter(isIdle) });
    const victims = idle ?? (isFirstBlocked ? victimsFor(need, { promised, budget, candidates }) : undefined);
    if (isFree) {
      decision.start.push(key);
      used = plus(used, need);
    } else {
      if (!idle) isFirstBlocked = false;
      if (!victims) continue;
      take(victims);
    }
    promised = plus(promised, need);
  }
  return decision;
}

type Search<Key> = { promised: Bytes; budget: Bytes; candidates: readonly Holding<Key>[] };

/** Which models to evict, in the given order; undefined if all of them together are not enough. */
function victimsFor<Key>(need: Bytes, { promised, budget, candidates }: Search<Key>) {
  const after = (gone: readonly Holding<Key>[]) =>
    plus(minus(promised, sum(gone.map(({ bytes }) => bytes))), need);
  let victims: Holding<Key>[] = [];
  for (const candidate of candidates) {
    const still = after(victims);
    if (fits(still, budget)) break;
    if (helps(candidate.bytes, still, budget)) victims.push(candidate);
  }
  if (!fits(after(victims), budget)) return undefined;
  // A small one that was picked early may stay if a bigger one leaves as well.
  for (const victim of [...victims]) {
    const others = victims.filter((other) => other !== victim);
    if (fits(after(others), budget)) victims = others;
  }
  return victims;
}

/** Whether it holds memory of the kind that is needed: a model on another card would leave for nothing. */
function helps(bytes: Bytes, wanted: Bytes, budget: Bytes): boolean {
  if (wanted.ram > budget.ram && bytes.ram > 0) return true;
  return Object.entries(budget.vram).some(
    ([card, room]) => (wanted.vram[card] ?? 0) > room && (bytes.vram[card] ?? 0) > 0,
  );
}

function isIdle<Key>({ state }: Holding<Key>): boolean {
  return state === 'idle';
}

/** Idle ones first, then the least recently used. */
function byLastUse<Key>(holdings: readonly Holding<Key>[]): Holding<Key>[] {
  return holdings.toSorted((a, b) => Number(isIdle(b)) - Number(isIdle(a)) || a.lastUseAt - b.lastUseAt);
}

import { expect } from 'vitest';
import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import type { Streamed } from '../../../src/agent/runs/broadcast.ts';
import type { Task } from '../../../src/agent/types.ts';

/**
 * The rules for every run: numbers without gaps, each tool started and ended once, one last event and nothing after
 * it.
 */
export function checkEvents(
  events: readonly (Streamed | AgentEvent)[],
  { maxCycles }: Pick<Task, 'maxCycles'>,
): void {
  const numbered = events.filter((event) => event.type !== 'token' && event.type !== 'fact');
  expect(numbered.map(({ seq }) => seq)).toEqual(numbered.map((_, index) => index + 1));
  const open = new Map<string, string>();
  for (const event of numbered) {
    if (event.type === 'step') expect(event.cycle ?? 1).toBeLessThanOrEqual(maxCycles);
    if (event.type !== 'tool') continue;
    if (event.status === 'start') {
      expect(open.has(event.id)).toBe(false);
      open.set(event.id, event.name);
    } else {
      expect(open.get(event.id)).toBe(event.name);
      open.set(event.id, 'ended');
    }
  }
  expect([...open.values()].filter((state) => state !== 'ended')).toEqual([]);
  const terminals = events.filter(({ type }) => type === 'done' || type === 'error');
  expect(terminals).toHaveLength(1);
  expect(events.at(-1)).toBe(terminals[0]);
  const [last] = terminals;
  if (last?.type === 'done') {
    expect(last.usage.cycles).toBeLessThanOrEqual(maxCycles);
    const numbers = new Set(last.sources.map(({ n }) => n));
    for (const { n, quote } of last.citations) {
      expect(numbers.has(n)).toBe(true);
      expect(quote).not.toBe('');
    }
    const prose = last.answer.replace(/```[\s\S]*?```/g, '');
    for (const [, n] of prose.matchAll(/\[(\d+)\]/g)) expect(numbers.has(Number(n))).toBe(true);
  }
}

/** What two runs with the same seed have in common: everything except durations and ids. */
export function comparable(events: readonly Streamed[]): unknown[] {
  return events.map((event) => {
    const masked: Record<string, unknown> = { ...event };
    for (const name of ['ms', 'run', 'session']) if (name in masked) masked[name] = '…';
    if (event.type === 'done') masked['usage'] = { ...event.usage, wall_ms: 0 };
    return masked;
  });
}

import { describe, expect, test } from 'vitest';
import { testTexts } from '../../../src/check/cases/texts.ts';
import { againstEarlier } from '../../../src/check/earlier-speed.ts';
import type { StepResult } from '../../../src/check/step.ts';
import { summaryOf, verdictOf } from '../../../src/check/verdict.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';

const step = (name: string, status: StepResult['status'], remark?: string): StepResult => ({
  ...{ name, status, message: `${name} is ${status}`, seconds: 1 },
  ...(remark !== undefined && { remark }),
});
const load = step('load', 'passed');
const speed = { ...step('speed', 'passed', '41 tokens/s'), tokensPerSecond: { 1: 41 } };
const chat = { id: 'm', engine: 'llama', tasks: ['chat', 'translate'] } as unknown as ModelManifest;

describe('the verdict', () => {
  test('says in one line what a good chat model can do', () => {
    const steps = [load, step('tools', 'passed', 'tools in its own format'), speed];
    expect(verdictOf(steps)).toBe('good');
    expect(summaryOf(chat, steps)).toBe('good for chat, tools in its own format, no vision, 41 tokens/s');
  });

  test('names what is weak, and is broken only by what failed', () => {
    const steps = [load, step('tools', 'weak', 'no tools'), step('context', 'weak'), speed];
    expect([verdictOf(steps), summaryOf(chat, steps)]).toEqual([
      'weak',
      'usable for chat (weak: tools, context), no tools, no vision, 41 tokens/s',
    ]);
    const broken = [...steps, step('schema', 'failed')];
    expect([verdictOf(broken), summaryOf(chat, broken)]).toEqual(['broken', 'broken: schema is failed']);
  });

  test('is unknown if nothing could be checked in time', () => {
    const steps = [load, step('images', 'skipped')];
    expect([verdictOf(steps), summaryOf(chat, steps)]).toEqual(['unknown', 'not known: images is skipped']);
  });
});

test('a speed is compared with an earlier one of the same file, and noise is not a finding', () => {
  const earlier = {
    ...{ artifact: 'm', verdict: 'good' as const, summary: '', isFull: false, steps: [] },
    ...{ tokensPerSecond: { 1: 60 }, checkedAt: Date.UTC(2026, 3, 5) },
  };
  expect(againstEarlier([load, speed], earlier)).toEqual([load, speed]);
  const slower = againstEarlier([load, speed], { ...earlier, tokensPerSecond: { 1: 80 } });
  expect(slower[1]).toMatchObject({
    status: 'weak',
    message: 'speed is passed; slower than when it was checked on 2026-04-05: 80 tokens/s then',
  });
  expect(againstEarlier([load, speed], undefined)).toEqual([load, speed]);
});

test('the texts for a tokenizer cover all scripts, are well formed, and are the same each time', () => {
  const texts = testTexts(2000);
  expect(texts).toEqual(testTexts(2000));
  expect(new Set(texts.map(({ kind }) => kind)).size).toBe(17);
  expect(new Set(texts.map(({ text }) => text)).size).toBeGreaterThan(1900);
  const all = texts.map(({ text }) => text).join('');
  for (const letter of 'abcdefghijklmnopqrstuvwxyz\u0000\u200d') expect(all).toContain(letter);
  for (const script of ['Cyrillic', 'Hebrew', 'Thai', 'Devanagari', 'Hangul', 'Han']) {
    expect(all.match(new RegExp(`\\p{Script=${script}}`, 'gu'))?.length).toBeGreaterThan(100);
  }
  expect(/\p{Surrogate}/u.test(all)).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { liveLines } from '../../../../cli/tui/live/live-view.ts';
import { branchLines, runningLines, toTerminal } from '../../../../cli/tui/live/tree-lines.ts';
import { growTree, plantTree, type RunTree } from '../../../../cli/tui/live/tree.ts';
import { textOf, widthOf, type Line } from '../../../../cli/tui/render/lines.ts';
import { chooseGlyphs } from '../../../../cli/tui/render/theme.ts';
import type { AgentEvent } from '../../../../src/api/tasks/agent.ts';
import { seededRandom } from '../../../helpers/agent/random.ts';
import { HOSTILE_TEXTS } from '../../../helpers/hostile-texts.ts';

const LOOK = { glyphs: chooseGlyphs({ LANG: 'C.UTF-8' }), links: false };
/** A moment at which the spinner starts over. */
const AT = 72_000;
const textsOf = (lines: readonly Line[]) => lines.map((each) => textOf(each).trimEnd());

const NOTES = { kind: 'document' as const, url: 'file:///notes/harbour.md', title: 'The harbour' };
const EVENTS: readonly AgentEvent[] = [
  { type: 'step', seq: 1, message: 'Preparing svc-chat-v1', phase: 'plan' },
  { type: 'step', seq: 2, message: 'Searching: harbour bridge opened', cycle: 1, phase: 'search' },
  { type: 'tool', seq: 3, name: 'docs', status: 'start', id: 't1', detail: 'harbour bridge opened' },
  { type: 'tool', seq: 4, name: 'read', status: 'start', id: 't2', detail: 'https://example.com/bridge' },
  {
    ...{ type: 'tool', seq: 5, name: 'docs', status: 'ok', id: 't1', detail: '5 passages', ms: 12 },
    found: ['harbour', 'alder', 'birch', 'cedar'].map((name) => ({
      url: `file:///notes/${name}.md`,
      title: name,
    })),
  },
  {
    type: 'fact',
    index: 0,
    source: NOTES,
    fact: 'Opened in 1931.',
    quote: 'was opened on 4 May 1931',
    line: 12,
  },
];

function treeOf(events: readonly AgentEvent[], question = 'When?'): RunTree {
  return events.reduce((tree, event) => growTree(tree, event, AT), plantTree(question, AT));
}

describe('the tree of a run', () => {
  test('has a step, its tools with time and results, and beneath them where things are', () => {
    const lines = runningLines(treeOf(EVENTS), AT + 1440, { width: 76, height: 20 }, LOOK);
    expect(textsOf(lines)).toEqual([
      '⠋ Searching: harbour bridge opened',
      '├ ✓ docs harbour bridge opened  5 passages  12 ms',
      '│     harbour  /notes/harbour.md',
      '│     alder  /notes/alder.md',
      '│     birch  /notes/birch.md',
      '│     1 more',
      '├ ⠋ read https://example.com/bridge  1.4 s',
      '└ ✓ "was opened on 4 May 1931"  /notes/harbour.md:12',
      '✓ plan  ⠋ search  · read  · think  · write  1 fact  1.4 s',
    ]);
  });

  test('shows the end of the answer as it is written, and says nothing runs in what is over', () => {
    const draft = { type: 'token', delta: 'It was opened in 1931.' } as const;
    const tree = treeOf([...EVENTS, { type: 'step', seq: 6, message: 'Writing', phase: 'write' }, draft]);
    expect(textsOf(runningLines(tree, AT, { width: 76, height: 20 }, LOOK))).toContain(
      '  It was opened in 1931.█',
    );
    const left = branchLines(tree.branches[1] as never, { now: AT, isOver: true }, 76, LOOK);
    expect(textsOf(left)).toContain('├ ∅ read https://example.com/bridge  stopped');
  });

  test('keeps the head and the news where it is higher than the terminal', () => {
    const lines = textsOf(runningLines(treeOf(EVENTS), AT, { width: 76, height: 5 }, LOOK));
    expect([lines.length, lines[0], lines[1]]).toEqual([5, '⠋ Searching: harbour bridge opened', '  …']);
    expect(lines[4]).toContain('plan');
  });

  test('gives several runs a share of the height each, and says how many wait', () => {
    const trees = [treeOf(EVENTS, 'First?'), treeOf(EVENTS, 'Second?')];
    const lines = textsOf(liveLines(trees, { total: 5, begun: 2 }, { width: 76, height: 11 }, LOOK, AT));
    expect(lines).toHaveLength(11);
    expect(lines.filter((each) => /(First|Second)\? {2}0\.0 s/.test(each))).toHaveLength(2);
    expect(lines.at(-1)).toBe('3 questions left to begin');
  });

  test('counts a fact once that comes again after a reconnection', () => {
    const fact = EVENTS.at(-1) as AgentEvent;
    expect(treeOf([...EVENTS, fact])).toEqual(treeOf(EVENTS));
  });
});

test('whatever happens in runs, they are never wider or higher than the terminal', () => {
  const { next: random, pick } = seededRandom(7);
  const text = () =>
    Array.from({ length: Math.floor(random() * 12) }, () => pick([...HOSTILE_TEXTS, ...WORDS])).join(' ');
  for (let round = 0; round < 60; round++) {
    const trees = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
      const events = Array.from({ length: Math.floor(random() * 30) }, (_, seq) => anyEvent(seq, text, pick));
      return treeOf(events, text());
    });
    const size = { width: 1 + Math.floor(random() * 140), height: 1 + Math.floor(random() * 50) };
    const total = trees.length + Math.floor(random() * 3);
    const lines = liveLines(trees, { total, begun: trees.length }, size, LOOK, AT + round);
    expect(lines.length).toBeLessThanOrEqual(size.height);
    for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(size.width);
    for (const { branches } of trees)
      for (const branch of branches)
        for (const each of branchLines(branch, { now: AT, isOver: true }, size.width, LOOK)) {
          expect(widthOf(each)).toBeLessThanOrEqual(size.width);
          expect(toTerminal(each, false)).not.toContain('\u001b');
        }
  }
});

const WORDS = ['bridge', '橋梁', '🌉🌉', 'a'.repeat(200), 'naïve', ''];

function anyEvent(
  seq: number,
  text: () => string,
  pick: <Value>(values: readonly Value[]) => Value,
): AgentEvent {
  const id = pick(['a', 'b', 'c']);
  const source = {
    ...NOTES,
    title: text(),
    url: pick(['file:///a b.md', 'https://example.com/x', 'askd:program/1', text()]),
  };
  return pick<() => AgentEvent>([
    () => ({
      type: 'step',
      seq,
      message: text(),
      phase: pick(['plan', 'search', 'read', 'think', 'write'] as const),
    }),
    () => ({ type: 'tool', seq, id, name: 'docs', status: 'start', detail: text() }),
    () => ({
      type: 'tool',
      seq,
      id,
      name: 'docs',
      status: pick(['ok', 'empty', 'error', 'rate_limited'] as const),
      detail: text(),
      ms: seq * 700,
      found: [source, source, source, source],
    }),
    () => ({
      type: 'fact',
      index: seq,
      source,
      fact: text(),
      quote: text(),
      ...pick([{}, { line: 7 }, { page: 3 }]),
    }),
    () => ({ type: 'token', delta: text() }),
  ])();
}

import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import { DATA, RUN_EVENTS } from '../../helpers/terminal/tui-data.ts';
import { live, showTui } from '../../helpers/terminal/tui.tsx';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 20_000 };

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

const ENTER = '\r';
const ESC = '\u001b';
const RUNNING = 'run_01JD0000000000000000000003';

async function show(options: Parameters<typeof showTui>[0] = {}) {
  const tui = showTui({ screen: 'agent', ...options });
  open.push(tui);
  await tui.dispatch(live(), { type: 'loaded', data: DATA }, ...RUN_EVENTS);
  const shows = (text: string | RegExp) => vi.waitFor(() => expect(tui.frame()).toMatch(text), SOON);
  const report = (event: AgentEvent) => tui.dispatch({ type: 'run', run: RUNNING, event });
  return { ...tui, shows, report };
}

test('a run that is over shows its answer with numbered sources, and nothing that commands the terminal', async () => {
  const { press, frame, shows } = await show();
  press('j');
  await shows('It crosses the Mira [1].');
  expect(frame()).toContain('✓ answered  research  2 cycles  2100 tokens  1 search  4.2 s');
  expect(frame()).toContain('[1] Alder Bridge  file:///notes/alder.md');
  expect(frame()).toContain('[2] A page with an address that is too long');
  expect(frame()).not.toContain('\u001b');
  expect(frame()).not.toContain('evil');
});

test('Enter gives the run the whole screen, where it scrolls, and Esc gives it back', async () => {
  const { press, frame, shows, report } = await show();
  press(ENTER);
  await vi.waitFor(() => expect(frame()).not.toContain('QUESTION'), SOON);
  for (let index = 1; index <= 40; index++) await report({ type: 'step', seq: 20, message: `step ${index}` });
  expect(frame()).toContain('step 40');
  expect(frame()).toContain('When was the harbour bridge opened');
  press('g');
  await shows('No web search provider');
  expect(frame()).not.toContain('step 40');
  await report({ type: 'step', seq: 20, message: 'step 41' });
  expect(frame()).not.toContain('step 41');
  press('G');
  await shows('step 41');
  await report({ type: 'step', seq: 20, message: 'step 42' });
  expect(frame()).toContain('step 42');
  press(ESC);
  await shows('QUESTION');
});

test('a question is asked with its mode and how often it may decide', async () => {
  const { press, shows, calls, store } = await show({ client: {} });
  press('n');
  await shows('Ask the agent');
  for (const key of ['Why?', ENTER, '\u001b[C', ENTER, '99', ENTER]) press(key);
  await shows('The cycles must be a number from 1 to');
  for (const key of ['\u007f', '\u007f', '3', ENTER]) press(key);
  await vi.waitFor(
    () => expect(store.current().done).toEqual(["askd agent 'Why?' --mode coding --max-cycles 3"]),
    SOON,
  );
  expect(calls).toContain('start {"query":"Why?","mode":"coding","maxCycles":3}');
});

test('an answer is copied, and a source shows the words that were cited', async () => {
  const { press, shows, calls } = await show();
  press('j');
  await shows('It crosses the Mira');
  press('y');
  await shows('Copied');
  expect(calls).toContain('copy It crosses the Mira [1].');
  press('o');
  await shows('Open a source');
  press(ENTER);
  await shows(/"crosses the Mira" \(page 2\)/);
});

test('leaving is asked about while a run that began here works', async () => {
  const { press, shows, calls, frame, report } = await show();
  press('q');
  await shows('1 agent run started here would be stopped');
  press('n');
  await vi.waitFor(() => expect(frame()).not.toContain('Leave the dashboard'), SOON);
  expect(calls).not.toContain('quit');
  await report({ type: 'error', seq: 30, message: 'boom', code: 'internal_error', retryable: false });
  expect(frame()).toContain('error: boom');
  press('q');
  await vi.waitFor(() => expect(calls).toContain('quit'), SOON);
});

test('a screen reader is given the steps, and the answer when it is complete', async () => {
  const { frame, press, shows } = await show({ isReader: true });
  expect(frame()).toContain('Row 1 of 3: state running');
  expect(frame()).toContain('The architect is still missing');
  expect(frame()).not.toContain('was designed by');
  expect(frame()).not.toMatch(/[─│█░]/);
  press('j');
  await shows('It crosses the Mira [1].');
});

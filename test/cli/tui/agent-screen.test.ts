import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AgentEvent, AgentRun, WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import type { Client } from '../../../cli/client/client.ts';
import { DATA, RUN_EVENTS } from '../../helpers/terminal/tui-data.ts';
import { showRunsSideBySide } from '../../helpers/terminal/tui-scene.ts';
import { live, showTui } from '../../helpers/terminal/tui.tsx';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 20_000 };

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

const ENTER = '\r';
const ESC = '\u001b';
const WHO_WON = 'run_01JD0000000000000000000001';
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
  expect(frame()).toContain('[1] Alder Bridge  /notes/alder.md');
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
  await shows('No web search is configured');
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
  const { press, shows, calls, frame } = await show();
  press('j');
  await shows('It crosses the Mira');
  press('y');
  await shows('Copied');
  expect(calls).toContain('copy It crosses the Mira [1].');
  press('o');
  await shows('Open a source');
  press(ENTER);
  await shows(/"crosses the Mira" \(page 2\)/);
  await shows('/notes/alder.md');
  expect(frame()).not.toContain('file:');
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

describe('runs side by side', () => {
  const ANSWERED = 'run_01JD0000000000000000000002';

  async function showAll(options: Parameters<typeof showRunsSideBySide>[0] = {}) {
    const tui = await showRunsSideBySide({ columns: 120, rows: 40, ...options });
    open.push(tui);
    const shows = (text: string | RegExp) => vi.waitFor(() => expect(tui.frame()).toMatch(text), SOON);
    return { ...tui, shows };
  }

  test('Tab moves the focus, whose keys are for that run, and Shift-Tab moves it back', async () => {
    const { press, shows, store } = await showAll();
    await shows('▸ When was the harbour');
    press('\t');
    await shows('▸ Which river');
    press('y');
    await shows('Copied the answer');
    press('\t');
    await shows('▸ Who won?');
    press('\t');
    await shows('▸ When was the harbour');
    press('\u001b[Z');
    await shows('▸ Who won?');
    press('c');
    await shows('That run has ended.');
    press(ESC);
    await vi.waitFor(() => expect(store.current().views.agent.pane).toBe('list'), SOON);
    await shows('QUESTION');
  });

  test('each scrolls alone, and what arrives in one leaves the others as they are', async () => {
    const { press, frame, shows, dispatch } = await showAll();
    const other = () =>
      frame()
        .split('\n')
        .map((each) => each.slice(42));
    const before = other().slice(2, -2);
    for (let index = 1; index <= 40; index++)
      await dispatch({
        type: 'run',
        run: RUNNING,
        event: { type: 'step', seq: 20, message: `step ${index}` },
      });
    expect(frame()).toContain('step 40');
    press('g');
    await shows('No web search is configured');
    expect(other().slice(2, -2)).toEqual(before);
  });

  test('a run that begins elsewhere gets a column by itself, and Space takes one away', async () => {
    const { press, shows, frame, dispatch, store } = await showAll({ columns: 200, rows: 50 });
    const [first] = DATA.runs ?? [];
    const begun = { ...first, id: 'run_elsewhere', query: 'Asked by another program?' } as AgentRun;
    await dispatch({ type: 'loaded', data: { runs: [begun, ...(DATA.runs ?? [])] } });
    await shows(/\[1 . When was.*4 . Asked by another/);
    for (const question of ['Which river', 'Who won', 'Asked by another']) {
      press('\t');
      await shows(`▸ ${question}`);
    }
    press(' ');
    await shows('3 runs side by side.');
    await shows('▸ Who won?');
    expect(frame()).not.toContain('Asked by another');
    await dispatch({ type: 'loaded', data: { runs: [begun, ...(DATA.runs ?? [])] } });
    expect(store.current().sideBySide).not.toContain('run_elsewhere');
  });

  test('a run is asked again in its place, as it was asked', async () => {
    const { press, shows, calls, store } = await showAll({ client: {} });
    press('r');
    await shows('That run is still working');
    press('\t');
    await shows('▸ Which river');
    press('r');
    await vi.waitFor(() => expect(store.current().sideBySide).toEqual([RUNNING, 'run_1', WHO_WON]), SOON);
    const request = JSON.parse(calls.find((call) => call.startsWith('start'))?.slice(6) ?? '{}') as object;
    expect(request).toMatchObject({ mode: 'research', maxCycles: 5, model: 'svc-chat-v1' });
  });

  test('a report of a run is written as it is on the command line, and shown', async () => {
    const [, run] = DATA.runs ?? [];
    const whole = { ...run, steps: [], sources: [], citations: [], usage: null } as WholeAgentRun;
    const found: string[] = [];
    const agent = { find: async (id: string) => (found.push(id), whole) } as unknown as Client['agent'];
    const { press, shows, calls } = await showAll({ client: { agent } });
    press('x');
    await shows('A report can be written once the run has ended');
    press('\t');
    await shows('▸ Which river');
    press('x');
    await shows('Report: Which river');
    press(ENTER);
    await shows('Saved in /tmp/report.html');
    await shows('# Which river does the Alder Bridge cross?');
    expect(found).toEqual([ANSWERED]);
    expect(calls).toEqual(expect.arrayContaining(['save report', 'open file:///tmp/report.html']));
  });

  test('a screen reader gets the state of the others, and every change of it', async () => {
    const { frame, shows, dispatch } = await showAll({ isReader: true });
    expect(frame()).toContain('Run 1 of 3 side by side.');
    expect(frame()).toContain('Beside it: answered, Which river does the Alder Bridge cross?');
    const runs = (DATA.runs ?? []).map((run) =>
      run.id === ANSWERED ? { ...run, stopped: 'cycle_limit' as const } : run,
    );
    await dispatch({ type: 'loaded', data: { runs } });
    await shows('Beside it: cycle limit, Which river');
  });
});

import { expect, vi } from 'vitest';
import type { AgentEvent } from '../../../src/api/tasks/agent.ts';
import type { RecordedEvent } from '../../../src/api/management/events.ts';
import type { ScreenId } from '../../../cli/tui/state/state.ts';
import { AGO, CHAT_EVENTS } from './tui-chat-data.ts';
import { DATA, RUN_EVENTS } from './tui-data.ts';
import { live, NOON, showTui } from './tui.tsx';

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 20_000 };

/** Two chats one after the other, one that failed, and one that works. */
const EVENTS: readonly RecordedEvent[] = [
  chatStarted(1),
  chatCompleted(1, { minutes: 9 }),
  chatStarted(2),
  chatCompleted(2, { minutes: 8, outcome: 'failed' }),
  {
    topic: 'model',
    ...{ id: 'evt_loaded', type: 'model.loaded', created_at: AGO(4) },
    data: { artifact: 'qwen3-4b', device: 'cpu', load_ms: 812 },
  },
  chatCompleted(3, { minutes: 2 }),
  chatStarted(4),
];

function chatStarted(number: number): RecordedEvent {
  const data = { request_id: `req_${number}`, model: 'svc-chat-v1', stream: true };
  return { topic: 'chat', id: `evt_${number}s`, type: 'chat.started', created_at: AGO(1), data };
}

type Ending = { minutes: number; outcome?: string };

function chatCompleted(number: number, { minutes, outcome = 'finished' }: Ending): RecordedEvent {
  const data = {
    ...{ request_id: `req_${number}`, model: 'svc-chat-v1', outcome, finish_reason: 'stop' },
    usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 },
    cost: 0.000046 * number,
  };
  return { topic: 'chat', id: `evt_${number}`, type: 'chat.completed', created_at: AGO(minutes), data };
}

const WHO_WON = 'run_01JD0000000000000000000001';

/** What was found, and where. */
const FOUND: readonly AgentEvent[] = [
  { type: 'step', seq: 1, message: 'Searching: cup final winner', cycle: 1, phase: 'search' },
  { type: 'tool', seq: 2, name: 'docs', status: 'start', id: 't1', detail: 'cup final winner' },
  {
    ...{ type: 'tool', seq: 3, name: 'docs', status: 'ok', id: 't1', detail: '2 passages', ms: 1210 },
    found: ['cups', 'winners'].map((name) => ({ url: `file:///notes/${name}.md`, title: `The ${name}` })),
  },
  {
    ...{ type: 'fact', index: 0, fact: 'The cup has two handles.', quote: 'has two handles', line: 7 },
    source: { kind: 'document', url: 'file:///notes/cups.md', title: 'The cups' },
  },
  {
    ...{ type: 'done', seq: 4, run: WHO_WON, session: 'ses_1', answer: 'I could not find it.' },
    ...{ citations: [], sources: [], stopped: 'no_sources' },
    usage: {
      ...{ cycles: 3, model_calls: 4, prompt_tokens: 900, completion_tokens: 80, total_tokens: 980 },
      ...{ searches: 1, fetches: 0, fallbacks: 0, wall_ms: 8300 },
    },
  },
];

type Scene = Parameters<typeof showTui>[0] & { screen: ScreenId };

/** A dashboard in use: models, keys, chats, an agent at work, events and a log. */
export async function showScene({ columns = 80, rows = 24, ...shown }: Scene) {
  const tui = showTui({ columns, rows, ...shown });
  for (const second of [0, 1]) {
    const served = { requests: 30, generated_tokens: 1000 + 126 * second, spent: 0.0123 };
    await tui.dispatch(live({ uptime_seconds: 10_800 + second, served }));
  }
  await tui.dispatch(
    { type: 'loaded', data: DATA },
    ...RUN_EVENTS,
    ...CHAT_EVENTS,
    ...[
      `{"level":30,"time":"${AGO(5)}","msg":"daemon started","version":"0.1.0","pid":4242}`,
      `{"level":30,"time":"${AGO(2)}","msg":"request","method":"POST","path":"/v1/chat/completions","status":200,"ms":812}`,
      `{"level":50,"time":"${AGO(1)}","msg":"a runner ended","err":{"message":"boom","stack":"Error: boom\\n    at run"}}`,
    ].map((line) => ({ type: 'event', event: { topic: 'log', line }, now: NOON }) as const),
    ...EVENTS.map((event) => ({ type: 'event', event, now: NOON }) as const),
  );
  return tui;
}

/** The same with three runs of the agent side by side, of which the working one has focus. */
export async function showRunsSideBySide(shown: Omit<Scene, 'screen'> = {}) {
  const tui = await showScene({ ...shown, screen: 'agent' });
  await tui.dispatch(
    { type: 'watch', run: WHO_WON, isMine: false },
    ...FOUND.map((event) => ({ type: 'run', run: WHO_WON, event }) as const),
  );
  // The one that works is there by itself.
  for (const key of ['j', ' ', 'j', ' ', 'k', 'k', '\r']) tui.press(key);
  await vi.waitFor(() => {
    const { sideBySide, views } = tui.store.current();
    expect([sideBySide.length, views.agent.pane]).toEqual([3, 'detail']);
  }, SOON);
  await tui.dispatch({ type: 'toast', toast: undefined });
  return tui;
}

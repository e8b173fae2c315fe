import type { RecordedEvent } from '../../../src/api/management/events.ts';
import type { ScreenId } from '../../../cli/tui/state/state.ts';
import { AGO, CHAT_EVENTS } from './tui-chat-data.ts';
import { DATA, RUN_EVENTS } from './tui-data.ts';
import { live, NOON, showTui } from './tui.tsx';

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

type Scene = { screen: ScreenId; columns?: number; rows?: number; isReader?: boolean; hasColor?: boolean };

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

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Data, ScreenId } from '../../../cli/tui/state.ts';
import { SCREENS } from '../../../cli/tui/state.ts';
import { displayWidth } from '../../../cli/table.ts';
import { live, NOON, showTui } from '../../helpers/tui.tsx';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

const AGO = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();

const DATA: Partial<Data> = {
  artifacts: [
    {
      id: 'qwen3-4b',
      name: 'Qwen3 4B Instruct',
      engine: 'llama',
      tasks: ['chat'],
      tier: 'standard',
      licence: 'Apache-2.0',
      path: '/home/user/.cache/huggingface/hub/models--org--qwen3/snapshots/abc/qwen3-4b-q4_k_m.gguf',
      bytes: 2_500_000_000,
      context_tokens_max: 32_768,
      bound_to: ['svc-chat-v1'],
      aliases: [],
      is_present: true,
      files: [],
    },
    {
      id: 'bge-m3',
      name: 'BGE M3',
      engine: 'onnx',
      tasks: ['embed'],
      tier: 'standard',
      licence: 'MIT',
      path: '/models/bge-m3',
      bytes: 570_000_000,
      context_tokens_max: 8192,
      bound_to: [],
      aliases: ['embedder'],
      is_present: false,
      files: [],
    },
  ],
  catalog: [],
  models: [],
  keys: [
    {
      id: 'key_01JD0000000000000000000001',
      name: 'laptop',
      key_prefix: 'ask_AbC1',
      scopes: ['chat', 'read'],
      last_used_at: AGO(3),
      expires_at: null,
      is_active: true,
      created_at: AGO(60 * 24 * 9),
    },
    {
      id: 'key_01JD0000000000000000000002',
      name: 'an old notebook with a name that is far too long for its column',
      key_prefix: 'ask_Zyx9',
      scopes: ['chat', 'read', 'write', 'admin'],
      last_used_at: null,
      expires_at: AGO(60),
      is_active: true,
      created_at: AGO(60 * 24 * 40),
    },
    {
      id: 'key_01JD0000000000000000000003',
      name: '日本語の鍵 \u001b[31mred\u001b[0m',
      key_prefix: 'ask_Qwe5',
      scopes: ['read'],
      last_used_at: AGO(60 * 5),
      expires_at: null,
      is_active: false,
      created_at: AGO(60 * 24),
    },
  ],
  transactions: [
    {
      id: 'txn_01JD0000000000000000000002',
      type: 'usage',
      amount: -0.000046,
      balance_after: 99.999954,
      created_at: AGO(2),
      description: 'svc-chat-v1: 12 tokens in, 34 tokens out',
    },
    {
      id: 'txn_01JD0000000000000000000001',
      type: 'bonus',
      amount: 100,
      balance_after: 100,
      created_at: AGO(60 * 24 * 3),
      description: 'Welcome to your own machine',
    },
  ],
  settings: {
    auto_topup: { enabled: true, threshold: 10, amount: 100 },
    spending_limit: { enabled: false, monthly_limit: 0, action: 'block' },
    low_balance_alert: { enabled: false, threshold: 5, email: null },
  },
  tier: {
    profile: 'personal',
    tier: 'enterprise',
    rpm: 600,
    tpm: 4_000_000,
    monthly_tokens: null,
    used_tokens: 46,
  },
  webhooks: [
    {
      id: 'wh_01JD0000000000000000000001',
      name: 'my-app',
      url: 'https://example.com/hook',
      events: ['chat.completed', 'api_key.created'],
      enabled: true,
      created_at: AGO(60 * 24),
      updated_at: AGO(60 * 24),
      disabled_reason: null,
      failures: 3,
      failing_since: AGO(30),
      last_success_at: AGO(45),
    },
  ],
  deliveries: {
    wh_01JD0000000000000000000001: [
      {
        event_id: 'evt_01JD0000000000000000000002',
        type: 'chat.completed',
        timestamp: AGO(30),
        state: 'pending',
        next_attempt_at: AGO(-5),
        finished_at: null,
        attempts: 3,
      },
      {
        event_id: 'evt_01JD0000000000000000000001',
        type: 'api_key.created',
        timestamp: AGO(45),
        state: 'delivered',
        next_attempt_at: null,
        finished_at: AGO(45),
        attempts: 1,
      },
    ],
  },
};

async function show(screen: ScreenId, columns: number, rows: number) {
  const tui = showTui({ screen, columns, rows });
  open.push(tui);
  for (let second = 0; second <= 30; second++) {
    const tokens = Math.round(20 + 20 * Math.sin(second / 4));
    const served = { requests: second, generated_tokens: tokens * second, spent: second * 0.0004 };
    void tui.dispatch(live({ uptime_seconds: 10_800 + second, served }));
  }
  await tui.dispatch(
    { type: 'loaded', data: DATA },
    ...[
      `{"level":30,"time":"${AGO(5)}","msg":"daemon started","version":"0.1.0","pid":4242}`,
      `{"level":30,"time":"${AGO(2)}","msg":"request","method":"POST","path":"/v1/chat/completions","status":200,"ms":812}`,
      `{"level":50,"time":"${AGO(1)}","msg":"a runner ended","err":{"message":"boom","stack":"Error: boom\\n    at run"}}`,
    ].map((line) => ({ type: 'event', event: { topic: 'log', line }, now: NOON }) as const),
    {
      type: 'event',
      now: NOON,
      event: {
        topic: 'chat',
        id: 'evt_1',
        type: 'chat.completed',
        created_at: AGO(2),
        data: { request_id: 'req_1', model: 'svc-chat-v1', outcome: 'finished', cost: 0.000046 },
      },
    },
  );
  return tui;
}

describe.each([
  [80, 24],
  [120, 40],
])('at %dx%d', (columns, rows) => {
  test.each(SCREENS)('%s is as it was last seen to be right', async (screen) => {
    const tui = await show(screen, columns, rows);
    const frame = tui.frame();
    const lines = frame.split('\n');
    expect(lines).toHaveLength(rows - 1);
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    expect(frame).not.toContain('\u001b');
    await expect(`${frame}\n`).toMatchFileSnapshot(`frames/${screen}-${columns}x${rows}.txt`);
  });

  test('a form, a secret and help have room', async () => {
    const tui = await show('keys', columns, rows);
    tui.press('n');
    await vi.waitFor(() => expect(tui.frame()).toContain('Create a key'));
    await expect(`${tui.frame()}\n`).toMatchFileSnapshot(`frames/form-${columns}x${rows}.txt`);
    await tui.dispatch({
      type: 'dialog',
      dialog: { kind: 'secret', title: 'A new key', secret: 'ask_secret', note: 'Once.' },
    });
    expect(tui.frame()).toContain('ask_secret');
    await tui.dispatch({ type: 'dialog', dialog: undefined });
    tui.press('?');
    await vi.waitFor(() => expect(tui.frame()).toContain('Keys of Keys'));
    expect(tui.frame()).toContain('revoke the key: type its name');
  });

  test('a lost connection says so, and what is shown stays', async () => {
    const tui = await show('keys', columns, rows);
    const connection = { kind: 'lost', reason: 'nothing listens there', retryAt: NOON + 3000 } as const;
    await tui.dispatch({ type: 'connection', connection, now: NOON });
    expect(tui.frame()).toContain('not connected, trying again in 3 s');
    expect(tui.frame()).toContain('laptop');
    expect(tui.frame()).toContain('nothing listens there');
  });
});

test('a terminal that is too small is told what is needed', () => {
  const tui = showTui({ columns: 79, rows: 24 });
  open.push(tui);
  expect(tui.frame()).toBe('askd needs 80x24, this is 79x24. q quits.');
});

test('for a screen reader the chosen row is a sentence, without lines and bars', async () => {
  const tui = showTui({ screen: 'keys', isReader: true });
  open.push(tui);
  await tui.dispatch(live(), { type: 'loaded', data: DATA });
  expect(tui.frame()).toContain('Row 1 of 3: name laptop, key ask_AbC1…, state ✓ on');
  expect(tui.frame()).not.toMatch(/[─│▁▂▃█]/);
  tui.press('j');
  await vi.waitFor(() => expect(tui.frame()).toContain('Row 2 of 3'));
});

test('the filter narrows the list, a ! turns it around, and Esc ends it', async () => {
  const tui = await show('keys', 80, 24);
  tui.press('/');
  for (const key of 'laptop') tui.press(key);
  await vi.waitFor(() => expect(tui.frame()).toContain('filter: laptop'));
  expect(tui.frame()).not.toContain('an old notebook');
  tui.press('\r');
  await vi.waitFor(() => expect(tui.store.current().prompt).toBeUndefined());
  tui.press('/');
  tui.press('\u0015');
  for (const key of '!laptop') tui.press(key);
  await vi.waitFor(() => expect(tui.frame()).toContain('an old notebook'));
  tui.press('\u001b');
  await vi.waitFor(() => expect(tui.frame()).not.toContain('filter:'));
});

test('a change without a connection is refused, and what was typed stays', async () => {
  const tui = await show('keys', 80, 24);
  tui.press('n');
  await vi.waitFor(() => expect(tui.frame()).toContain('Create a key'));
  for (const key of ['a', 'b', '\r', '\r', '\r']) tui.press(key);
  await vi.waitFor(() => expect(tui.frame()).toContain('error: no daemon'));
  expect(tui.frame()).toContain('ab');
});

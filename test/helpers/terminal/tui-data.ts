import type { ActivitySample } from '../../../src/api/management/activity.ts';
import type { KeyBudget } from '../../../src/api/account/keys.ts';
import type { AgentEvent, AgentRun } from '../../../src/api/tasks/agent.ts';
import type { Action } from '../../../cli/tui/state/reduce.ts';
import type { Data } from '../../../cli/tui/state/state.ts';
import { AGO, CHATS } from './tui-chat-data.ts';

const RUN: Pick<AgentRun, 'session_id' | 'mode' | 'model' | 'max_cycles' | 'credits'> = {
  session_id: 'ses_01JD0000000000000000000001',
  mode: 'research',
  model: 'svc-chat-v1',
  max_cycles: 5,
  credits: 0,
};

const NO_BUDGET: KeyBudget = {
  credits_per_month: null,
  tokens_per_month: null,
  rpm: null,
  credits_used: 0,
  tokens_used: 0,
};

/** An hour that begins without a daemon, and ends with a burst. */
const ACTIVITY: readonly ActivitySample[] = Array.from({ length: 300 }, (_, index) => {
  const tokens = Math.round(600 + 600 * Math.sin(index / 9));
  const requests = Math.round(tokens / 200);
  return {
    ...{ at: AGO((299 - index) / 6), seconds: 10, requests, generated_tokens: tokens },
    ...{ spent: requests * 0.000046, memory_bytes: index < 150 ? 2e9 : 3.3e9 },
    first_token_seconds: requests === 0 ? null : 0.2 + requests / 20,
    models: tokens > 300 ? [{ artifact: 'qwen3-4b', generated_tokens: tokens - 300 }] : [],
  };
});

/** What the screens show. */
export const DATA: Partial<Data> = {
  activity: ACTIVITY,
  chats: CHATS,
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
      fallback_for: [],
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
      fallback_for: [],
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
      budget: { ...NO_BUDGET, credits_per_month: 5, credits_used: 0.42, tokens_used: 12_345, rpm: 60 },
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
      budget: NO_BUDGET,
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
      budget: NO_BUDGET,
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
    rpm: 1_000_000_000,
    tpm: 1_000_000_000,
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
  runs: [
    {
      ...RUN,
      id: 'run_01JD0000000000000000000003',
      query: 'When was the harbour bridge opened, and who designed it?',
      status: 'running',
      stopped: null,
      answer: null,
      started_at: AGO(0.2),
      ended_at: null,
    },
    {
      ...RUN,
      id: 'run_01JD0000000000000000000002',
      query: 'Which river does the Alder Bridge cross? \u001b]0;evil\u0007',
      status: 'finished',
      stopped: 'answered',
      answer: 'It crosses the Mira [1].',
      started_at: AGO(12),
      ended_at: AGO(11),
    },
    {
      ...RUN,
      id: 'run_01JD0000000000000000000001',
      query: 'Who won?',
      status: 'finished',
      stopped: 'no_sources',
      answer: 'I could not find it.',
      started_at: AGO(60 * 26),
      ended_at: AGO(60 * 26),
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

const running = 'run_01JD0000000000000000000003';
const answered = 'run_01JD0000000000000000000002';

/** One run in the middle of its answer, and one that has ended. */
export const RUN_EVENTS: readonly Action[] = [
  { type: 'watch', run: running, isMine: true },
  ...(
    [
      {
        type: 'step',
        seq: 1,
        message: 'No web search is configured: using local documents only',
        phase: 'plan',
      },
      {
        type: 'step',
        seq: 2,
        message: 'Searching: harbour bridge opened · harbour bridge architect',
        cycle: 1,
        phase: 'search',
      },
      { type: 'tool', seq: 3, name: 'docs', status: 'start', id: 't1', detail: 'harbour bridge opened' },
      { type: 'tool', seq: 4, name: 'docs', status: 'ok', id: 't1', detail: '3 passages', ms: 12 },
      { type: 'tool', seq: 5, name: 'docs', status: 'start', id: 't2', detail: 'harbour bridge architect' },
      { type: 'tool', seq: 6, name: 'docs', status: 'empty', id: 't2', detail: 'no passages', ms: 4 },
      { type: 'tool', seq: 7, name: 'read', status: 'start', id: 't3', detail: 'https://example.com/bridge' },
      {
        type: 'tool',
        seq: 8,
        name: 'read',
        status: 'blocked',
        id: 't3',
        detail: 'robots.txt says no',
        ms: 88,
      },
      { type: 'step', seq: 9, message: 'The architect is still missing', cycle: 2, phase: 'think' },
      { type: 'tool', seq: 10, name: 'docs', status: 'start', id: 't4', detail: 'bridge designed by' },
      { type: 'token', delta: 'The harbour bridge was opened on 4 May 1931 [1]' },
      { type: 'token', delta: ', and was designed by' },
    ] as const
  ).map((event) => ({ type: 'run', run: running, event }) as const),
  { type: 'watch', run: answered, isMine: false },
  ...(
    [
      { type: 'step', seq: 1, message: 'Searching: Alder Bridge river', cycle: 1, phase: 'search' },
      {
        type: 'done',
        seq: 2,
        run: answered,
        session: RUN.session_id,
        answer: 'It crosses the Mira [1].\u001b[2J',
        citations: [
          { n: 1, url: 'file:///notes/alder.md', title: 'Alder Bridge', quote: 'crosses the Mira', page: 2 },
        ],
        sources: [
          { n: 1, kind: 'document', url: 'file:///notes/alder.md', title: 'Alder Bridge' },
          {
            n: 2,
            kind: 'web',
            url: `https://example.com/${'long/'.repeat(20)}`,
            title: 'A page with an address that is too long',
          },
        ],
        stopped: 'answered',
        usage: {
          ...{ cycles: 2, model_calls: 5, prompt_tokens: 2000, completion_tokens: 100, total_tokens: 2100 },
          ...{ searches: 1, fetches: 0, fallbacks: 0, wall_ms: 4210 },
        },
      },
    ] as const
  ).map((event) => ({ type: 'run', run: answered, event: event as unknown as AgentEvent }) as const),
];

import { setImmediate } from 'node:timers/promises';
import { render } from 'ink-testing-library';
import type { ReactElement } from 'react';
import type { Status } from '../../../src/api/management/daemon.ts';
import { App } from '../../../cli/tui/App.tsx';
import { createReplies } from '../../../cli/tui/chat/replies.ts';
import type { Deck } from '../../../cli/tui/deck.ts';
import { createLoader } from '../../../cli/tui/data/loader.ts';
import type { Action } from '../../../cli/tui/state/reduce.ts';
import { initialState, type ScreenId } from '../../../cli/tui/state/state.ts';
import { createStore } from '../../../cli/tui/state/store.ts';
import { createAnnouncer } from '../../../cli/tui/render/announcer.ts';
import { linesOf } from '../../../cli/tui/render/frame-writer.ts';
import { pressKeys } from '../../../cli/tui/keyboard/press.ts';
import { createKeyDecoder } from '../../../cli/prompt/editor/keys.ts';
import { chooseGlyphs, SPOKEN } from '../../../cli/tui/render/theme.ts';
import type { Client } from '../../../cli/client/client.ts';

/** The actions of an agent that does nothing. */
export const NO_RUNS = { running: [], latest: null };

/** Noon of a day that frames are made for. */
export const NOON = Date.parse('2027-01-31T12:00:00Z');

export const STATUS: Status = {
  version: '0.1.0',
  pid: 4242,
  home: '/home/user/.local/share/askd',
  base_url: 'http://127.0.0.1:11535/v1',
  management_url: 'http://127.0.0.1:11535',
  boot_id: 'boot',
  started_at: '2027-01-31T09:00:00.000Z',
  uptime_seconds: 10_800,
  memory_bytes: 120_000_000,
  active_keys: 2,
  requests_in_flight: 1,
  served: { requests: 12, generated_tokens: 3400, spent: 0.0123 },
  ignored_parameters: [],
  models: [
    {
      artifact: 'qwen3-4b',
      services: ['svc-chat-v1'],
      state: 'loaded',
      progress: null,
      engine: 'llama',
      device: 'cpu',
      cards: [],
      layers: null,
      fallback: null,
      build: 'prebuilt',
      pid: 5000,
      sandbox: 'bubblewrap',
      bytes: 3_200_000_000,
      context_reason: 'trained for 8,192',
      context_tokens: 8192,
      threads: 4,
      slots: 4,
      flash_attention: 'on',
      kv_cache_type: 'f16',
      drafts: null,
      prompt_cache: null,
      busy: 1,
      queued: 0,
      loaded_at: '2027-01-31T11:50:00.000Z',
      pinned: false,
      expires_at: '2027-01-31T12:09:00.000Z',
    },
  ],
  tier: 'enterprise',
  wallet: { balance: 99.9877, currency: 'usd', held: 0.001, available: 99.9867 },
  notices: [],
  webhooks: { state: 'delivering', enabled: 1, pending: 0, disabled: [] },
};

type Shown = {
  screen?: ScreenId;
  columns?: number;
  rows?: number;
  client?: Partial<Client>;
  isReader?: boolean;
  hasColor?: boolean;
};

/** The dashboard as Ink shows it, on a terminal of this size, without a daemon. */
export function showTui({
  screen = 'overview',
  columns = 80,
  rows = 24,
  client,
  isReader = false,
  hasColor = false,
}: Shown = {}) {
  const store = createStore(initialState({ screen, size: { columns, rows }, now: NOON }));
  const theme = { glyphs: isReader ? SPOKEN : chooseGlyphs({ LANG: 'C.UTF-8' }), isReader };
  const found = client as Client | undefined;
  const loader = createLoader({ store, client: () => found });
  const calls: string[] = [];
  const start = async (_from: Client, request: object) => (
    calls.push(`start ${JSON.stringify(request)}`),
    'run_1'
  );
  const replies = createReplies(store);
  const deck: Deck = {
    store,
    loader,
    runs: { start },
    replies,
    theme,
    client() {
      if (found) return found;
      throw new Error('no daemon');
    },
    openUrl: async (url) => (calls.push(`open ${url}`), false),
    copy: (text) => void calls.push(`copy ${text}`),
    remember: (text) => void calls.push(`remember ${text}`),
    save: async (name, extension) => (calls.push(`save ${name}`), `/tmp/${name}.${extension}`),
    quit: () => void calls.push('quit'),
    suspend: () => void calls.push('suspend'),
    reconnect: () => void calls.push('reconnect'),
  };
  const app = renderOn(columns, <App store={store} theme={theme} hasColor={hasColor} />);
  const spoken: string[] = [];
  const stdout = { write: (text: string) => spoken.push(text) > 0 } as never;
  const announcer = isReader ? createAnnouncer(store, theme, stdout) : undefined;
  /** For a screen reader, all that was written since it began. */
  const frame = () => (announcer ? spoken.join('') : shownAfter(app.frames));
  return {
    store,
    calls,
    frame,
    /** How many frames have been drawn. */
    drawn: () => app.frames.length,
    /** Resolves when the frame shows it. */
    async dispatch(this: void, ...actions: Action[]): Promise<void> {
      for (const action of actions) store.dispatch(action);
      // Shown at once: what a person does flushes what came before.
      store.dispatch({ type: 'resized', columns, rows });
      for (let before = ''; before !== frame();) {
        before = frame();
        await setImmediate();
        await setImmediate();
      }
    },
    press: createPress(deck),
    close: () => {
      app.unmount();
      announcer?.close();
      void replies.close();
      loader.close();
      store.close();
    },
  };
}

function renderOn(columns: number, element: ReactElement) {
  const app = render(element);
  // The library's terminal has 100 columns whatever is shown on it.
  Object.defineProperty(app.stdout, 'columns', { value: columns });
  app.stdout.emit('resize');
  return app;
}

/** Presses the keys that a terminal sends so. */
function createPress(deck: Deck) {
  const decoder = createKeyDecoder();
  return (sent: string): void => {
    pressKeys(deck, decoder.push(sent));
    // No more follows an Escape.
    pressKeys(deck, decoder.flush());
  };
}

function shownAfter(frames: readonly string[]): string {
  return frames.reduce<string[]>((before, frame) => linesOf(frame, before), []).join('\n');
}

/** A connection that has sent its first status. */
export function live(status: Partial<Status> = {}): Action {
  return {
    type: 'event',
    event: { topic: 'status', status: { ...STATUS, ...status }, pulls: [], agent: NO_RUNS },
    now: NOON,
  };
}

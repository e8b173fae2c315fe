import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { render } from 'ink';
import { anySignal } from '../../src/base/any-signal.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { App } from './App.tsx';
import { createReplies } from './chat/replies.ts';
import { say, type Deck } from './deck.ts';
import { startEventStream } from './data/event-stream.ts';
import { createLoader } from './data/loader.ts';
import { createAnnouncer } from './render/announcer.ts';
import { createFrameWriter } from './render/frame-writer.ts';
import { openHistory } from '../chat/terminal/history.ts';
import { createKeyboard } from '../chat/terminal/keyboard.ts';
import { pressKeys } from './keyboard/press.ts';
import { beginComposer } from '../prompt/editor/composer.ts';
import { copyText } from '../prompt/clipboard.ts';
import { initialState, type ScreenId } from './state/state.ts';
import { createStore } from './state/store.ts';
import { takeScreen } from './terminal.ts';
import { chooseGlyphs, SPOKEN, type Theme } from './render/theme.ts';
import { createWatcher } from './data/watcher.ts';

const TICK_MS = 1000;

/** Ink exits on these unless someone else listens, without restoring the terminal. */
const ENDING = ['SIGINT', 'SIGTERM'] as const;
const stay = () => undefined;

/** Shows the dashboard until the user quits. */
export async function runTui(
  context: Context,
  first: Client,
  { screen, folder, screenReader }: { screen: ScreenId; folder?: string; screenReader?: boolean },
): Promise<void> {
  // It stays open for days: collect garbage early rather than use three times the memory.
  setFlagsFromString('--heap-growing-percent=20');
  const { io, environment, options, signal } = context;
  const stdout = io.stdout as NodeJS.WriteStream;
  const isReader = screenReader ?? environment.isScreenReader;
  const theme: Theme = { glyphs: isReader ? SPOKEN : chooseGlyphs(environment.env), isReader };
  const size = { columns: stdout.columns, rows: stdout.rows };
  const frameWriter = createFrameWriter(stdout);
  const store = createStore(initialState({ screen, size, now: Date.now() }), frameWriter.restMs);
  const history = openHistory(context.paths.chatHistory, (problem) => say({ store }, problem, 'bad'));
  const composer = beginComposer(history.load());
  const change = { composer, ...(folder !== undefined && { folder }) };
  store.dispatch({ type: 'chat', change: { kind: 'set', change } });
  const daemon = connectTo({ context, first, store, theme });
  const held = takeScreen(io.stdout, !isReader);
  const announcer = isReader ? createAnnouncer(store, theme, stdout) : undefined;
  const hasColor = options.color && !environment.noColor;
  const app = render(<App store={store} theme={theme} hasColor={hasColor} />, {
    stdin: io.stdin as NodeJS.ReadStream,
    stdout: (announcer ?? frameWriter).stream,
    stderr: io.stderr as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    // Whole frames, which the frame writer compares.
    debug: true,
  });
  const end = () => app.unmount();
  const deck: Deck = {
    ...createDeck({ ...daemon, store, theme, context, remember: (text) => history.add([text]) }),
    quit: end,
    suspend,
  };
  // Ink would read keys too, but it does not know all of them, nor what is pasted.
  const keyboard = createKeyboard(
    io,
    { onKeys: (keys) => pressKeys(deck, keys), onReport: () => undefined, onEnd: end },
    { isQuiet: isReader },
  );
  void keyboard.listen();

  function repaint(): void {
    held.clear();
    frameWriter.forget();
    store.dispatch({ type: 'resized', columns: stdout.columns, rows: stdout.rows });
  }

  /** Suspends to the shell and back, like any terminal program. */
  function suspend(): void {
    keyboard.release();
    held.leave();
    // Returns when the shell continues it, or at once without a shell.
    process.kill(process.pid, 'SIGTSTP');
    held.enter();
    void keyboard.listen();
    repaint();
  }

  const ticking = setInterval(() => store.dispatch({ type: 'tick', now: Date.now() }), TICK_MS);
  const crash = onCrash(end);
  stdout.on('resize', repaint);
  signal.addEventListener('abort', end);
  for (const name of ENDING) process.on(name, stay);
  try {
    await app.waitUntilExit();
  } finally {
    clearInterval(ticking);
    stdout.off('resize', repaint);
    signal.removeEventListener('abort', end);
    for (const name of ENDING) process.off(name, stay);
    keyboard.release();
    await daemon.close();
    store.close();
    announcer?.close();
    held.release();
    crash.close();
  }
  crash.rethrow();
  signal.throwIfAborted();
}

/** The event stream and the data loader, over a client that is replaced when the connection breaks. */
function connectTo({
  context,
  first,
  store,
  theme,
}: Pick<Deck, 'store' | 'theme'> & { context: Context; first: Client }) {
  const closing = new AbortController();
  let client: Client | undefined = first;
  let isFirst = true;
  const loader = createLoader({ store, client: () => client });
  const runs = createWatcher({ store, client: () => client, theme });
  const replies = createReplies(store);
  const feed = startEventStream({
    store,
    connect: async () => {
      if (!isFirst) return context.reconnect();
      isFirst = false;
      return first;
    },
    onClient: (connected) => (client = connected),
    signal: anySignal(context.signal, closing.signal),
  });
  return {
    loader,
    runs,
    replies,
    client: () => client,
    retryNow: feed.retryNow,
    async close(): Promise<void> {
      closing.abort();
      await feed.ended;
      loader.close();
      runs.close();
      await replies.close();
    },
  };
}

/** A crash restores the terminal, and is then reported where it can be read. */
function onCrash(end: () => void) {
  let thrown: { error: unknown } | undefined;
  const listener = (error: unknown) => {
    thrown ??= { error };
    end();
  };
  process.on('uncaughtException', listener);
  process.on('unhandledRejection', listener);
  return {
    close() {
      process.off('uncaughtException', listener);
      process.off('unhandledRejection', listener);
    },
    rethrow() {
      if (thrown) throw thrown.error;
    },
  };
}

type DeckParts = Pick<Deck, 'store' | 'loader' | 'runs' | 'replies' | 'theme' | 'remember'> & {
  context: Context;
  client: () => Client | undefined;
  retryNow: () => void;
};

function createDeck({
  store,
  loader,
  runs,
  replies,
  theme,
  context,
  client,
  retryNow,
  remember,
}: DeckParts): Omit<Deck, 'quit' | 'suspend'> {
  const { environment } = context;
  return {
    store,
    loader,
    runs,
    replies,
    theme,
    client() {
      const connected = client();
      if (connected && store.current().connection.kind === 'live') return connected;
      throw new Failure('daemon_unreachable', 'There is no connection to the daemon. Nothing was changed.', {
        details: { fix: 'askd up' },
      });
    },
    // Loading the code that starts programs is slow, and it is rarely needed.
    openUrl: async (url) =>
      environment.hasScreen && (await import('../prompt/browser.ts')).openInBrowser(url, environment),
    copy: (text) => void copyText(context, text),
    remember,
    async save(name, extension, lines) {
      const path = resolve(`${name}-${new Date().toISOString().replace(/[:.]/g, '-')}.${extension}`);
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const each of lines) await file.write(`${each}\n`);
      } finally {
        await file.close();
      }
      return path;
    },
    reconnect: retryNow,
  };
}

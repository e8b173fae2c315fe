import { wrapped, type Io } from '../../output/output.ts';
import {
  beginComposer,
  clearComposer,
  pressKey,
  setText,
  withOffers,
  type Composer,
  type Effect,
} from '../../prompt/editor/composer.ts';
import type { Key } from '../../prompt/editor/keys.ts';
import { unfold, withLabels } from '../../prompt/editor/pastes.ts';
import { readMessageText } from '../message.ts';
import { withEntry } from './history.ts';
import { createKeyboard } from './keyboard.ts';
import { createQueue, type Sent } from './queue.ts';
import type { Stop } from './respond.ts';
import type { Screen } from './screen.ts';
import type { Complete } from './slash-completion.ts';
import { asSent, textColumns, viewOf } from './view.ts';

const LEAVE_HINT = 'To leave: Ctrl-D or /bye, or Ctrl-C again';
const HELD_HINT = 'Enter sends what waits, ↑ edits it';

type Parts = {
  io: Io;
  screen: Screen;
  /** Earlier messages, newest first. */
  entries: readonly string[];
  /** Called with each message, for the next conversation. */
  remember: (text: string) => void;
  complete: Complete;
  status: () => string;
  onReport: (report: string) => void;
  styles: { dim: (text: string) => string; strong: (text: string) => string };
  /** Opens the text in the user's own editor. */
  edit: (text: string) => Promise<string>;
  signal: AbortSignal;
};

export type Input = ReturnType<typeof openInput>;

/** The message editor, available at any time: while an answer arrives, the message waits. */
export function openInput({ io, screen, complete, status, styles, edit, signal, ...parts }: Parts) {
  let { entries } = parts;
  let composer = beginComposer(entries);
  let asked: { question: string; answer: (text: string) => void } | undefined;
  let stop: Stop | undefined;
  let hint = '';
  let lastKey = '';
  const queue = createQueue(signal, ({ shown }) => screen.output.write(`${asSent(shown)}\n`));
  const completion = createOffers(
    complete,
    () => composer,
    (next) => ((composer = next), show()),
  );
  const pending = (key: Key) => (key.name === 'tab' ? completion.pending() : undefined);
  const onKeys = inOrder({ pending, press, show });
  const keyboard = createKeyboard(io, { onKeys, onReport: parts.onReport, onEnd: () => leave() });
  show();
  // Nothing is shown before, because until then Ctrl-J is Enter.
  void screen.lend(() => keyboard.listen());

  function show(): void {
    const columns = screen.columns();
    const waiting = queue.isHeld() ? HELD_HINT : '';
    const view = { composer, question: asked?.question, queued: queue.texts(), columns, ...styles };
    screen.show(viewOf({ ...view, status: hint || waiting || status() }));
  }

  function press(key: Key): void {
    hint = '';
    if (key.name === 'up' && composer.editor.text === '' && !asked) {
      const last = queue.takeLast();
      if (last) return setComposer(setText(composer, last.text));
    }
    const pressed = pressKey(composer, key, textColumns(screen.columns(), asked?.question));
    setComposer(pressed.composer);
    if (pressed.effect) effects[pressed.effect]();
    lastKey = key.name;
  }

  function setComposer(next: Composer): void {
    const isChanged =
      next.editor.text !== composer.editor.text || next.editor.cursor !== composer.editor.cursor;
    composer = next;
    if (isChanged && !asked) completion.refresh();
  }

  const effects: Record<Effect, () => void> = {
    send,
    leave,
    escape: () => (asked ? asked.answer('n') : halt('taken back')),
    interrupt,
    redraw: () => screen.redraw(),
    openEditor: () => void lend(async () => setComposer(setText(composer, await edit(wholeText(composer))))),
    suspend: () => void lend(async () => void process.kill(process.pid, 'SIGTSTP')),
  };

  function send(): void {
    const text = wholeText(composer);
    if (asked) return asked.answer(text);
    const { complete: isComplete, message } = readMessageText(text);
    if (!isComplete) return press({ name: 'alt+enter', text: '' });
    const shown = withLabels(composer.editor.text, composer.editor.pastes).trim();
    if (message !== '') {
      entries = withEntry(entries, message);
      parts.remember(message);
    }
    setComposer(clearComposer(composer, entries));
    queue.add({ text: message, shown });
  }

  function interrupt(): void {
    const isAgain = lastKey === 'ctrl+c';
    if (asked) return asked.answer('n');
    if (stop && !isAgain) return halt('stopped');
    if (composer.editor.text === '' && isAgain) return leave();
    setComposer(setText(composer, ''));
    hint = LEAVE_HINT;
  }

  function halt(reason: Parameters<Stop>[0]): void {
    if (stop === undefined) return;
    queue.hold();
    stop(reason);
  }

  function leave(): void {
    queue.end();
    stop?.('stopped');
    asked?.answer('n');
  }

  async function lend(use: () => Promise<unknown>): Promise<void> {
    keyboard.release();
    await screen.lend(() => use().finally(() => keyboard.listen()));
    show();
  }

  function ask(question: string): Promise<string> {
    return new Promise((resolve) => {
      const before = composer;
      const lines = wrapped(question, screen.output).split('\n');
      const last = lines.pop() ?? '';
      for (const line of lines) screen.output.write(`${line}\n`);
      const answer = (text: string) => {
        asked = undefined;
        composer = before;
        screen.output.write(`${last}${text}\n`);
        resolve(text);
      };
      asked = { question: last, answer };
      composer = beginComposer([]);
      show();
    });
  }

  return {
    next: (): Promise<Sent> => queue.next(),
    /** Messages that wait. */
    unsent: queue.texts,
    refresh: show,
    /** More details are known about the candidates. */
    offerAgain(): void {
      if (composer.offers && !asked) completion.refresh();
      show();
    },
    /** While an answer arrives, Esc and Ctrl-C stop it. */
    setStop(next: Stop | undefined): void {
      stop = next;
      show();
    },
    /** Brings a message back, unless another one is being written. */
    restore(text: string): void {
      if (composer.editor.text === '') setComposer(setText(composer, text));
      show();
    },
    /** A line that is typed in answer to a question; empty if the user declines to answer. */
    ask,
    close: () => keyboard.release(),
  };
}

function wholeText({ editor: { text, pastes } }: Composer): string {
  return unfold(text, pastes);
}

type Pressing = {
  /** What a key has to wait for. */
  pending: (key: Key) => Promise<void> | undefined;
  press: (key: Key) => void;
  show: () => void;
};

/** Presses keys one after another, and shows the result. */
function inOrder({ pending, press, show }: Pressing): (keys: readonly Key[]) => void {
  const waiting: Key[] = [];
  let isWaiting = false;
  return function pressAll(keys) {
    waiting.push(...keys);
    while (!isWaiting && waiting[0]) {
      const before = pending(waiting[0]);
      if (before) {
        isWaiting = true;
        void before.finally(() => ((isWaiting = false), pressAll([])));
      } else press(waiting.shift() as Key);
    }
    show();
  };
}

/** Caches the candidates beside the text. */
function createOffers(complete: Complete, current: () => Composer, set: (composer: Composer) => void) {
  let pending: Promise<void> | undefined;
  return {
    pending: () => pending,
    refresh(): void {
      pending = undefined;
      const { editor, history, search } = current();
      const before = editor.text.slice(0, editor.cursor);
      const isOffered = history.at === -1 && search === undefined;
      const found = isOffered ? complete(before) : undefined;
      if (!(found instanceof Promise)) return set(withOffers(current(), found));
      const waiting = found.then((offer) => {
        if (pending !== waiting) return;
        pending = undefined;
        set(withOffers(current(), offer));
      });
      pending = waiting;
    },
  };
}

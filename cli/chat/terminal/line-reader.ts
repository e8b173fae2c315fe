import { createInterface, type Interface } from 'node:readline';
import type { Io } from '../../output/output.ts';
import type { Offer } from '../mentions/complete.ts';
import { HISTORY_LINES_MAX, type openHistory } from './history.ts';
import { enterRaw, setRaw } from '../../prompt/raw-mode.ts';
import type { Complete } from './slash-completion.ts';

const CTRL_C = 3;
const ENTER = 13;
/** Enables bracketed paste, if the terminal supports it. */
const ENABLE_BRACKETED_PASTE = '\u001b[?2004h';
const DISABLE_BRACKETED_PASTE = '\u001b[?2004l';
const CLEAR_LINE = '\r\u001b[K';

export type Input =
  | { kind: 'text'; text: string }
  /** The draft should open in an editor. */
  | { kind: 'edit'; text: string }
  | { kind: 'interrupt' }
  | { kind: 'end' };

type Parts = { history: ReturnType<typeof openHistory>; complete: Complete; signal: AbortSignal };

export type Prompts = { first: string; next: string };
type Key = { name?: string; ctrl?: boolean };

/** Reads input at a prompt. Pasted lines are one text. */
export function createLineReader({ stdin, stdout }: Io, { history, complete, signal }: Parts) {
  const entries = createEntries(history);
  const ahead = createTypeAhead(stdin);

  /** A draft appears as if it had been typed. */
  const read = ({ first, next }: Prompts, draft: string) =>
    new Promise<Input>((resolve, reject) => {
      signal.throwIfAborted();
      const above = draft.split('\n');
      const current = above.pop() ?? '';
      let isPasting = false;
      const reader = openReadline(stdin, stdout, complete, {
        prompt: above.length === 0 ? first : next,
        history: entries.all(),
      });
      const finish = (input: Input) => {
        // Closing emits an end, which must not win.
        resolve(input);
        reader.close();
      };
      const abort = () => {
        reader.close();
        reject(signal.reason as Error);
      };
      // Without bracketed paste, a paste arrives as many lines in one tick and perhaps the start of another.
      const submit = () => {
        if (reader.line === '') finish({ kind: 'text', text: above.join('\n') });
      };
      const onKey = (_: string | undefined, { name, ctrl }: Key) => {
        if (name === 'paste-start') isPasting = true;
        if (name === 'paste-end') {
          isPasting = false;
          // Waits for Enter: the user may want to add to it.
          if (above.length > 0) promptAgain(reader, next);
        }
        if (ctrl && name === 'g') finish({ kind: 'edit', text: [...above, reader.line].join('\n') });
      };

      signal.addEventListener('abort', abort);
      stdin.on('keypress', onKey);
      reader.on('history', entries.note);
      reader.on('line', (line) => {
        above.push(line);
        if (!isPasting) setImmediate(submit);
      });
      reader.on('SIGINT', () => finish({ kind: 'interrupt' }));
      reader.on('close', () => {
        signal.removeEventListener('abort', abort);
        stdin.off('keypress', onKey);
        stdout.write(DISABLE_BRACKETED_PASTE);
        finish({ kind: 'end' });
      });
      stdout.write(ENABLE_BRACKETED_PASTE + linesAbove(above, { first, next }));
      reader.prompt();
      reader.write(current);
    });

  return {
    typedAhead: ahead.add,
    read: async (prompts: Prompts, draft = ''): Promise<Input> => {
      ahead.add(await enterRaw(stdin));
      ahead.replayLine();
      const input = await read(prompts, draft);
      if (input.kind === 'text') entries.save();
      return input;
    },
  };
}

/** The history while it grows, newest first; what is new is saved once it was sent. */
function createEntries(history: Parts['history']) {
  let all = history.load();
  const fresh: string[] = [];
  return {
    all: () => [...all],
    note: (lines: string[]): void => {
      all = [...lines];
      fresh.push(...lines.slice(0, 1));
    },
    save(): void {
      if (fresh.length > 0) history.add(fresh.splice(0));
    },
  };
}

/** Replayed line by line, because lines that arrive together are one text. */
function createTypeAhead(stdin: Io['stdin']) {
  let ahead: Buffer = Buffer.alloc(0);
  return {
    add: (keys: Buffer) => void (ahead = Buffer.concat([ahead, keys])),
    replayLine(): void {
      const line = ahead.subarray(0, ahead.indexOf(ENTER) + 1 || ahead.length);
      ahead = ahead.subarray(line.length);
      if (line.length > 0) stdin.unshift(line);
    },
  };
}

function promptAgain(reader: Interface, prompt: string): void {
  reader.setPrompt(prompt);
  reader.prompt(true);
}

function linesAbove(lines: readonly string[], { first, next }: Prompts): string {
  const shown = lines.map((line, index) => `${index === 0 ? first : next}${line}\n`);
  return (lines.length > 0 ? CLEAR_LINE : '') + shown.join('');
}

function openReadline(
  input: Io['stdin'],
  output: Io['stdout'],
  complete: Complete,
  options: { prompt: string; history: string[] },
) {
  return createInterface({
    ...options,
    input,
    output,
    terminal: true,
    historySize: HISTORY_LINES_MAX,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, found: [texts: string[], part: string]) => void) => {
      const offer = complete(line);
      if (offer instanceof Promise) void offer.then((each) => done(null, toCompletion(each)));
      else done(null, offer ? toCompletion(offer) : A_TAB);
    },
  });
}

/** The effect of Tab in a message. */
const A_TAB: [string[], string] = [['\t'], ''];

function toCompletion({ candidates, part }: Offer): [texts: string[], part: string] {
  const texts = candidates.map(({ text }) => text);
  return [texts.length === 1 ? texts.map((text) => `${text} `) : texts, part];
}

const TYPED_AHEAD_BYTES_MAX = 4096;

/** During a reply Ctrl-C stops it; other input is returned at the end. */
export function watchForStop({ stdin }: Io, stop: () => void): { end: () => Buffer } {
  let typed = Buffer.alloc(0);
  const onKeys = (keys: Buffer) => {
    typed = Buffer.concat([typed, keys]).subarray(0, TYPED_AHEAD_BYTES_MAX);
    if (!keys.includes(CTRL_C)) return;
    typed = Buffer.alloc(0);
    stop();
  };
  setRaw(stdin, true);
  stdin.on('data', onKeys).resume();
  return {
    end() {
      // Stays raw until the next prompt: a Ctrl-D in between would be lost.
      stdin.off('data', onKeys).pause();
      return typed;
    },
  };
}

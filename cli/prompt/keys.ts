import { Interruption } from './interruption.ts';
import type { Io, TerminalInput } from '../output/output.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
/** An arrow key, for example, is several characters. */
// eslint-disable-next-line no-control-regex -- these are the characters to find
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs;

export type Keys = ReturnType<typeof openKeys>;

/**
 * Single keys from a terminal, without Enter. Input typed before the first question is dropped, so that it does not
 * answer a question that the user has not read yet; Ctrl-C and Ctrl-D interrupt at any time.
 */
export function openKeys({ stdin }: Pick<Io, 'stdin'>) {
  let isAsked = false;
  let ahead = '';
  let answer: ((key: string) => void) | undefined;
  let interrupt: (reason: Interruption) => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => (interrupt = reject));
  interrupted.catch(() => undefined);

  const onEnd = () => interrupt(new Interruption('end of input', 130));
  const onKeys = (typed: Buffer | string) => {
    const text = String(typed).replace(SEQUENCES, '');
    if (text.includes(CTRL_C)) return interrupt(new Interruption('SIGINT', 130));
    if (text.startsWith(CTRL_D)) return onEnd();
    if (!isAsked || text === '') return;
    ahead += text;
    if (answer !== undefined) take(answer);
  };
  const take = (give: (key: string) => void) => {
    const [first = ''] = ahead;
    ahead = ahead.slice(first.length);
    answer = undefined;
    give(first === '\n' ? '\r' : first);
  };
  const listen = () => {
    setRawMode(stdin, true);
    stdin.on('data', onKeys).on('end', onEnd).resume();
  };
  const close = () => {
    stdin.off('data', onKeys).off('end', onEnd).pause();
    setRawMode(stdin, false);
    // What was typed after the last answer is for the next reader.
    if (ahead !== '') stdin.unshift(ahead);
    ahead = '';
  };
  listen();
  return {
    /** Rejects when the user leaves. */
    interrupted,
    /** The next key: a character, or `\r` for Enter. */
    next: () =>
      new Promise<string>((resolve) => {
        isAsked = true;
        if (ahead === '') answer = resolve;
        else take(resolve);
      }),
    /** Gives the terminal to another reader in the meantime. */
    async lend<Result>(use: () => Promise<Result>): Promise<Result> {
      close();
      try {
        return await use();
      } finally {
        listen();
      }
    },
    close,
  };
}

function setRawMode(stdin: TerminalInput, isRaw: boolean): void {
  (stdin as TerminalInput & { setRawMode?: (raw: boolean) => void }).setRawMode?.(isRaw);
}

import { StringDecoder } from 'node:string_decoder';
import type { Io } from '../../output/output.ts';
import { createKeyDecoder, type Key } from '../../prompt/editor/keys.ts';
import { enterRaw, setRaw } from '../../prompt/raw-mode.ts';

/** A key that starts with Escape is complete after this time. */
const ESCAPE_MS = 50;
/**
 * Bracketed paste, and keys by the kitty protocol, with the effect of Shift and the layout; other terminals ignore
 * it.
 */
const BEGIN = '\u001b[?2004h\u001b[>5u';
const END = '\u001b[<u\u001b[?2004l';

type Handlers = {
  onKeys: (keys: readonly Key[]) => void;
  /** The terminal's answers to queries. */
  onReport: (report: string) => void;
  onEnd: () => void;
};

/** The keys of a terminal, each as it is pressed, beginning with those that were pressed before. */
export function createKeyboard(
  { stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>,
  { onKeys, onReport, onEnd }: Handlers,
  /** For a screen reader, no sequence is written. */
  { isQuiet = false } = {},
) {
  const decoder = createKeyDecoder(onReport);
  const characters = new StringDecoder('utf8');
  let timer: NodeJS.Timeout | undefined;
  let listening: symbol | undefined;

  const onData = (bytes: Buffer | string) => {
    clearTimeout(timer);
    const keys = decoder.push(typeof bytes === 'string' ? bytes : characters.write(bytes));
    if (decoder.isWaiting()) timer = setTimeout(() => onKeys(decoder.flush()), ESCAPE_MS);
    onKeys(keys);
  };
  return {
    async listen(): Promise<void> {
      const current = (listening = Symbol());
      stdin.on('end', onEnd);
      const entering = enterRaw(stdin);
      if (!isQuiet) stdout.write(BEGIN);
      const before = await entering;
      if (listening !== current) return;
      stdin.on('data', onData).resume();
      if (before.length > 0) onData(before);
    },
    release(): void {
      listening = undefined;
      clearTimeout(timer);
      stdin.off('data', onData).off('end', onEnd).pause();
      if (!isQuiet) stdout.write(END);
      setRaw(stdin, false);
    },
  };
}

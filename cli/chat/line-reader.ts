import { createInterface } from 'node:readline';
import type { Io } from '../output.ts';
import { HISTORY_LINES_MAX, loadHistory, saveHistory } from './history.ts';

const CTRL_C = 3;

export type Input = { kind: 'text'; text: string } | { kind: 'interrupt' } | { kind: 'end' };

/** Reads what is typed at a prompt. Lines that are pasted in one go are one text. */
export function createLineReader({ stdin, stdout }: Io, historyPath: string, signal: AbortSignal) {
  let history = loadHistory(historyPath);

  const read = (prompt: string) =>
    new Promise<Input>((resolve, reject) => {
      signal.throwIfAborted();
      const pasted: string[] = [];
      const reader = createInterface({
        input: stdin,
        output: stdout,
        terminal: true,
        prompt,
        history: [...history],
        historySize: HISTORY_LINES_MAX,
        removeHistoryDuplicates: true,
      });
      const finish = (input: Input) => {
        signal.removeEventListener('abort', abort);
        // Closing announces an end, which must not win.
        resolve(input);
        reader.close();
      };
      const abort = () => {
        reader.close();
        reject(signal.reason as Error);
      };
      // A paste arrives as many lines in one tick, perhaps with the start of another one behind them.
      const submitPaste = () => {
        if (pasted.length > 0 && reader.line === '') finish({ kind: 'text', text: pasted.join('\n') });
      };

      signal.addEventListener('abort', abort);
      reader.on('history', (lines: string[]) => (history = [...lines]));
      reader.on('line', (line) => {
        pasted.push(line);
        setImmediate(submitPaste);
      });
      reader.on('SIGINT', () => finish({ kind: 'interrupt' }));
      reader.on('close', () => finish({ kind: 'end' }));
      reader.prompt();
    });

  return {
    read: async (prompt: string): Promise<Input> => {
      const input = await read(prompt);
      if (input.kind === 'text') saveHistory(historyPath, history);
      return input;
    },
  };
}

const TYPED_AHEAD_BYTES_MAX = 4096;

/** While a reply is written Ctrl-C stops it; what else is typed waits for the next prompt. */
export function watchForStop({ stdin }: Io, stop: () => void): { end: () => void } {
  const terminal = stdin as Io['stdin'] & { setRawMode?: (raw: boolean) => void };
  let typed = Buffer.alloc(0);
  const onKeys = (keys: Buffer) => {
    typed = Buffer.concat([typed, keys]).subarray(0, TYPED_AHEAD_BYTES_MAX);
    if (!keys.includes(CTRL_C)) return;
    typed = Buffer.alloc(0);
    stop();
  };
  terminal.setRawMode?.(true);
  terminal.on('data', onKeys).resume();
  return {
    end() {
      terminal.off('data', onKeys).pause();
      terminal.setRawMode?.(false);
      if (typed.length > 0) terminal.unshift(typed);
    },
  };
}

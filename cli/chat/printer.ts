import type { Output, TerminalOutput } from '../output.ts';
import { createStreamSanitiser } from '../sanitise.ts';

/** Writes model text as it comes: exactly to a pipe or file, and harmless to a terminal. */
export function createPrinter(output: Output, stdout: TerminalOutput) {
  const sanitiser = stdout.isTTY ? createStreamSanitiser() : undefined;
  let last = '\n';
  const write = (text: string) => {
    if (text === '') return;
    last = text;
    output.write(text);
  };
  return {
    push: (text: string) => write(sanitiser === undefined ? text : sanitiser.push(text)),
    /** Leaves the cursor at the start of a line. */
    end() {
      write(sanitiser?.end() ?? '');
      if (!last.endsWith('\n')) output.write('\n');
      last = '\n';
    },
  };
}

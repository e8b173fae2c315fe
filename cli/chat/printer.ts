import { createMarkdown } from '../output/markdown/markdown.ts';
import type { Theme } from '../output/markdown/themes.ts';
import { columnsOf, type Output, type TerminalOutput } from '../output/output.ts';
import { createStreamSanitiser } from '../output/sanitise.ts';

const COLUMNS_MIN = 20;

export type Printer = { push: (text: string) => void; end: () => void };

/**
 * Prints model output as it arrives: verbatim to a pipe or file; sanitised and with rendered Markdown to a terminal.
 */
export function createPrinter(
  output: Output,
  stdout: TerminalOutput,
  { isMarkdown = true, theme = 'terminal' }: { isMarkdown?: boolean; theme?: Theme | undefined } = {},
): Printer {
  if (!stdout.isTTY) return createTextPrinter(output.write);
  const shown =
    isMarkdown && output.styled
      ? createMarkdown(output.write, () => Math.max(COLUMNS_MIN, columnsOf(stdout)), theme)
      : createTextPrinter(output.write);
  const sanitiser = createStreamSanitiser();
  return {
    push: (text) => shown.push(sanitiser.push(text)),
    end() {
      shown.push(sanitiser.end());
      shown.end();
    },
  };
}

function createTextPrinter(write: (text: string) => void): Printer {
  let last = '\n';
  return {
    push(text) {
      if (text === '') return;
      last = text;
      write(text);
    },
    /** Leaves the cursor at the start of a line. */
    end() {
      if (!last.endsWith('\n')) write('\n');
      last = '\n';
    },
  };
}

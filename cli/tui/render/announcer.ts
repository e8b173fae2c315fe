import type { TerminalOutput } from '../../output/output.ts';
import type { Store } from '../state/store.ts';
import { textOf, type Line } from './lines.ts';
import { renderForReader } from './screen-reader.ts';
import type { Theme } from './theme.ts';

/**
 * Writes for a screen reader: lines one after another, and never over an earlier one. What the user moved to is read
 * in full, without repeating what was just read; for automatic changes, only the news.
 */
export function createAnnouncer({ shown, subscribe }: Store, theme: Theme, stdout: TerminalOutput) {
  let place = '';
  let previous: readonly string[] = [];
  let last: string | undefined;

  function say(text: string): void {
    // What is typed continues on the same line.
    const isMore = last !== undefined && last !== '' && text.startsWith(last) && !previous.includes(last);
    stdout.write(isMore ? text.slice(last?.length) : `${last === undefined ? '' : '\n'}${text}`);
    last = text;
  }

  function announce(): void {
    const reading = renderForReader(shown(), theme);
    const [all, news] = [spoken(reading.lines), spoken(reading.news)];
    const before = previous;
    const wanted = reading.place === place ? news : all;
    place = reading.place;
    previous = all;
    for (const each of wanted) if (!before.includes(each)) say(each);
  }

  announce();
  const stop = subscribe(announce);
  return {
    /** For Ink, which reads keys and displays nothing. */
    stream: Object.create(stdout, {
      write: { value: (_: string, done?: () => void) => (done?.(), true) },
    }) as NodeJS.WriteStream,
    close(): void {
      stop();
      stdout.write('\n');
    },
  };
}

/** Columns become pauses. */
function spoken(lines: readonly Line[]): string[] {
  return (
    lines
      .map((each) =>
        textOf(each)
          .trimEnd()
          .replace(/(\S) {2,}(?=\S)/g, (_, end: string) => pauseAfter(end)),
      )
      // The rules of tables are left out.
      .filter((text) => !/^[\s─]*$/.test(text))
  );
}

const pauseAfter = (end: string) => (/[\w)\]]/.test(end) ? `${end}, ` : `${end} `);

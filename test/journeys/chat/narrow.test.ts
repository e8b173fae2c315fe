import { expect, test } from 'vitest';
import { sendJson } from '../../helpers/servers/scripted-server.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';
import type { Terminal } from '../../helpers/terminal/terminal.ts';

const ERROR = {
  code: 'model_load_failed',
  message: 'The model did not load, because it needs more memory than is free.',
};

/** The lines that the terminal itself broke, inside words. */
function brokenLines({ screen: { buffer } }: Terminal): string[] {
  const { active } = buffer;
  return Array.from({ length: active.length }, (_, index) => active.getLine(index)).flatMap((line) =>
    line?.isWrapped ? [line.translateToString(true)] : [],
  );
}

test.each([
  ['', 40],
  ['', 60],
  ['--plain', 40],
  ['--plain', 60],
])(
  'what commands answer and what fails is broken between words %s, %i columns',
  async (flags, columns) => {
    const { terminal, leave } = await openConversation({
      reply: (_, response) => sendJson(response, 503, { error: ERROR }),
      size: { columns, rows: 200 },
      flags: `${flags} --system "Answer as the harbour master would, who has little time"`,
    });
    const ask = async (typed: string, answer: RegExp) => {
      terminal.type(`${typed}\r`);
      await terminal.shows(new RegExp(`>>> ${typed.slice(0, 20)}[^]*${answer.source}[^]*\n>>>`));
    };
    await ask('/set nonsense', /temperature\s+0\.2/);
    await ask('/set num_ctx 16', /16384/);
    await ask('/nonsense', /the\s+commands\./);
    await ask('/copy', /to copy/);
    await ask('/image', /FILE/);
    await ask('/theme mono', /chat_theme\s+mono/);
    await ask('/show', /little\s+time\nmessages/);
    await ask('/load', /askd up/);
    await ask('/model', /lists\s+them/);
    await ask('/help', / {2}undo/);
    await ask('hello', /is\s+free/);
    expect(brokenLines(terminal)).toEqual([]);
    await leave();
  },
  120_000,
);

import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { agree } from '../../prompt/confirm.ts';
import { readMessageText } from '../message.ts';
import { askForTool } from '../tools/ask.ts';
import { editDraft } from './draft.ts';
import { openHistory } from './history.ts';
import { createLineReader, watchForStop, type Input, type Prompts } from './line-reader.ts';
import { setRaw } from '../../prompt/raw-mode.ts';
import { respond, type Parts, type Watch } from './respond.ts';
import { createCompletion } from './slash-completion.ts';
import { CONTINUED, PROMPT } from './view.ts';

const BEGIN: Prompts = { first: PROMPT, next: CONTINUED };
const GO_ON: Prompts = { first: CONTINUED, next: CONTINUED };

/** A chat that reads one line at a time, for terminals that support nothing more. */
export async function converseInLines(
  context: Context,
  client: Client,
  { conversation, news, notify }: Parts,
): Promise<void> {
  const { io, output, paths, signal } = context;
  const complete = createCompletion(client, conversation, () => undefined);
  const history = openHistory(paths.chatHistory, (problem) => output.note(`note: ${problem}`));
  const lines = createLineReader(io, { history, complete, signal });
  const edit = (draft: string) => editDraft(context, draft);
  try {
    while (!conversation.over) {
      for (const line of await news()) output.note(line);
      const input = await readMessage(lines.read, edit);
      if (input.kind === 'end') return output.line('');
      if (input.kind === 'interrupt') output.line('\nTo leave: Ctrl-D or /bye');
      else if (input.text !== '') {
        const keys = watchKeys(context);
        await respond(context, client, conversation, { text: input.text, watch: keys.watch, notify });
        lines.typedAhead(keys.typed());
      }
    }
  } finally {
    setRaw(io.stdin, false);
  }
}

type Read = (prompts: Prompts, draft?: string) => Promise<Input>;

/** A message may span several lines between `"""`, or be written in an editor. */
async function readMessage(read: Read, edit: (draft: string) => Promise<string>): Promise<Input> {
  let text = '';
  let draft = '';
  for (;;) {
    const input = await read(text === '' ? BEGIN : GO_ON, draft);
    if (input.kind === 'end' || input.kind === 'interrupt') return input;
    const whole = text + (text === '' ? '' : '\n') + input.text;
    draft = input.kind === 'edit' ? await edit(whole) : '';
    text = input.kind === 'edit' ? '' : whole;
    const { complete, message } = readMessageText(text);
    if (input.kind === 'text' && complete) return { kind: 'text', text: message };
  }
}

/** What was typed since the last question is used at the next prompt. */
function watchKeys({ io }: Context): { watch: Watch; typed: () => Buffer } {
  let typed: Buffer = Buffer.alloc(0);
  const watch: Watch = {
    open(stop) {
      const keys = watchForStop(io, () => stop('stopped'));
      return { end: () => void (typed = keys.end()) };
    },
    ask: (question, signal) => askForTool(question, io, signal),
    agree: (question, signal) => agree(question, io, signal),
  };
  return { watch, typed: () => typed };
}

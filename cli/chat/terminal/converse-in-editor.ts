import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { createOutput, wrapped, type Io } from '../../output/output.ts';
import { createPictures } from '../../output/pictures/pictures.ts';
import { isAgreed } from '../../prompt/confirm.ts';
import { RUN_IT, toAnswer } from '../tools/ask.ts';
import { createMentions } from '../mentions/complete.ts';
import { tokenCounter } from '../mentions/count-tokens.ts';
import { createCounts } from '../mentions/counts.ts';
import { editDraft } from './draft.ts';
import { openHistory } from './history.ts';
import { openInput, type Input } from './input.ts';
import { respond, type Parts, type Watch } from './respond.ts';
import { openScreen } from './screen.ts';
import { createCompletion } from './slash-completion.ts';
import { createStatus } from './status.ts';

/** A chat in which the next message can be written while the answer arrives. */
export async function converseInEditor(
  context: Context,
  client: Client,
  { conversation, news, notify }: Parts,
): Promise<void> {
  const { environment, io, paths, signal } = context;
  const screen = openScreen(io.stdout, () => input.refresh());
  const shown = withIo(context, { stdin: io.stdin, stdout: screen.output, stderr: screen.output });
  const history = openHistory(paths.chatHistory, (problem) => shown.output.note(`note: ${problem}`));
  const status = createStatus(client, conversation, () => input.refresh());
  const mentions = createMentions(
    createCounts({
      model: () => conversation.options.model,
      countTokens: tokenCounter(client, conversation.options),
      changed: () => input.offerAgain(),
    }),
  );
  const mode = () => (shown.output.styled ? (conversation.options.images ?? 'auto') : 'off');
  const pictures = createPictures({ terminal: io.stdout, env: environment.env, mode });
  const input = openInput({
    ...{ io, screen, signal, status: () => status.text(), styles: stylesOf(shown) },
    entries: history.load(),
    remember: (text) => history.add([text]),
    complete: createCompletion(client, conversation, mentions),
    edit: (text) => editDraft(shown, text),
    onReport: pictures.onReport,
  });
  const watch = watchOf(shown, input);
  try {
    while (!conversation.over) {
      for (const line of await news()) shown.output.note(line);
      const message = await input.next();
      if (message === undefined) return;
      status.begin();
      const { text, shown: typed } = message;
      const asking = { text, typed, watch, notify, counts: true, picture: pictures.show };
      const response = await respond(shown, client, conversation, asking);
      status.end(response.reply);
      if (response.isTakenBack) input.restore(text);
    }
  } finally {
    for (const text of input.unsent()) shown.output.note(`Not sent: ${text}`);
    screen.close();
    input.close();
  }
}

function withIo(context: Context, io: Io): Context {
  const { options, environment, output } = context;
  const { json, quiet, plain } = output;
  const color = options.color && !environment.noColor;
  return { ...context, io, output: createOutput(io, { json, quiet, plain, color, links: output.links }) };
}

function stylesOf({ output: { styled } }: Context) {
  const style = (on: number, off: number) => (text: string) =>
    styled ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { dim: style(2, 22), strong: style(1, 22) };
}

function watchOf({ io }: Context, input: Input): Watch {
  return {
    open(stop) {
      input.setStop(stop);
      return { end: () => input.setStop(undefined) };
    },
    async ask(question) {
      io.stderr.write(`${wrapped(question, io.stderr)}\n`);
      return toAnswer(await input.ask(RUN_IT));
    },
    agree: async (question) => isAgreed(await input.ask(`${question} [Y/n] `)),
  };
}

import { anySignal } from '../../../src/base/any-signal.ts';
import type { ChatMessage } from '../../../src/api/chat/chat.ts';
import type { Client } from '../../client/client.ts';
import { isElsewhere } from '../../client/own-daemon.ts';
import type { Context } from '../../context.ts';
import { columnsOf, wrapped } from '../../output/output.ts';
import { reportFailure } from '../../output/failure-report.ts';
import { takeContent } from '../attach.ts';
import { attachMentioned } from '../mentions/attach.ts';
import { tokenCounter } from '../mentions/count-tokens.ts';
import { chatRequest, isProse } from '../options.ts';
import { createPrinter } from '../printer.ts';
import { record } from '../recording.ts';
import { describeStats, printOnce, receiveReply, type Reply } from '../reply.ts';
import { runSlashCommand, type Conversation } from '../slash-commands.ts';
import type { Answer } from '../tools/ask.ts';
import { replyWithTools } from '../tools/reply.ts';
import type { Notify } from './notify.ts';

export type Parts = {
  conversation: Conversation;
  /** What was downloaded since the last call. */
  news: () => Promise<readonly string[]>;
  notify: Notify;
};

/** How the user of a terminal stops an answer, and answers questions. */
export type Watch = {
  /** Calls `stop` when the user wants it. Returns a function that ends the watching. */
  open: (stop: Stop) => { end: () => void };
  ask: (question: string, signal: AbortSignal) => Promise<Answer>;
  /** Enter means yes. */
  agree: (question: string, signal: AbortSignal) => Promise<boolean>;
};

/** Esc also takes the question back. */
export type Stop = (reason: 'stopped' | 'taken back') => void;

type Asking = {
  text: string;
  /** The part that was typed and not pasted: everything, if this is absent. */
  typed?: string;
  watch: Watch;
  notify: Notify;
  /** Whether tokens are counted even if the user does not want to see statistics. */
  counts?: boolean;
  /** Resolves to what shows an image; empty if none can be shown. */
  picture?: (file: string) => Promise<string>;
};

export type Response = { reply?: Reply; isTakenBack: boolean };

/** Runs a slash command, or asks the model. */
export async function respond(
  context: Context,
  client: Client,
  conversation: Conversation,
  { text, typed = text, watch, notify, counts = false, picture = NO_PICTURE }: Asking,
): Promise<Response> {
  const { attachments, messages } = conversation;
  const files = [...attachments.files];
  const agree = isElsewhere(context) ? undefined : (asked: string) => watch.agree(asked, context.signal);
  const { stdout } = context.io;
  const shown = await runSlashCommand(conversation, text, { client, agree, columns: columnsOf(stdout) });
  if (shown !== undefined) {
    if (shown) context.output.line(wrapped(shown, stdout));
    await showPictures(context, attachments.files.slice(files.length), picture);
    return { isTakenBack: false };
  }
  const before = messages.length;
  const attached = await attachMentioned({
    ...{ text, typed, model: conversation.options.model, canSee: attachments.canSee },
    countTokens: tokenCounter(client, conversation.options),
  });
  for (const note of attached.notes) context.output.note(note);
  if (attached.refusals.length > 0) {
    context.output.talk([...attached.refusals, 'Nothing was sent.'].join('\n'));
    return { isTakenBack: true };
  }
  await showPictures(context, attached.images, picture);
  attachments.files.push(...attached.images);
  const question: ChatMessage = { role: 'user', content: takeContent(attachments, attached.text) };
  const began = performance.now();
  const { reply, stopped } = await takeReply(context, client, conversation, { question, watch, counts });
  const isTakenBack = stopped === 'taken back';
  if (isTakenBack) {
    messages.length = before;
    attachments.files.unshift(...files);
  }
  reportReply(context, conversation, reply);
  if (stopped === undefined) notify(performance.now() - began, noticeOf(reply, conversation));
  return { reply, isTakenBack };
}

const NO_PICTURE = () => Promise.resolve('');

async function showPictures(
  { output }: Context,
  files: readonly string[],
  picture: (file: string) => Promise<string>,
): Promise<void> {
  for (const file of files) output.write(await picture(file));
}

async function takeReply(
  { io, output, signal }: Context,
  client: Client,
  conversation: Conversation,
  {
    question,
    watch,
    counts,
  }: Omit<Asking, 'text' | 'typed' | 'notify' | 'picture'> & { question: ChatMessage },
): Promise<{ reply: Reply; stopped: Parameters<Stop>[0] | undefined }> {
  const { options, messages, toolbox } = conversation;
  const stopper = new AbortController();
  let stopped: Parameters<Stop>[0] | undefined;
  const stop: Stop = (reason) => {
    stopped ??= reason;
    stopper.abort(new Error('stopped'));
  };
  // A stopped reply stays in the conversation; a question without a reply does not.
  const recording = record(conversation, question, output);
  const open = () => createPrinter(output, io.stdout, { isMarkdown: isProse(options), theme: options.theme });
  let printer = open();
  let watching = watch.open(stop);
  const stopping = anySignal(signal, stopper.signal);
  /** In the meantime, typed text answers the question and is no longer the next message. */
  const ask = async (asked: string) => {
    watching.end();
    printer.end();
    printer = open();
    const answer = await watch.ask(asked, stopping);
    watching = watch.open(stop);
    return answer;
  };
  const request = chatRequest({ ...options, stats: (options.stats ?? false) || counts }, [
    ...messages,
    question,
  ]);
  const chat = {
    stream: options.stream,
    onText: (text: string) => {
      printer.push(text);
      recording.text(text);
    },
    onThought: printOnce(output),
    signal: stopper.signal,
  };
  const receiving = toolbox
    ? replyWithTools(
        client,
        request,
        { ...chat, onMessage: recording.message },
        { toolbox, ask, signal: stopping },
      )
    : receiveReply(client, request, chat);
  const reply = await receiving.finally(() => watching.end());
  printer.end();
  await recording.end(reply);
  signal.throwIfAborted();
  if (stopped) delete reply.failure;
  return { reply, stopped };
}

function noticeOf({ failure }: Reply, { options: { model } }: Conversation): string {
  return failure === undefined ? `${model} has answered` : `${model} could not answer`;
}

function reportReply({ output, options }: Context, conversation: Conversation, reply: Reply): void {
  if (reply.failure !== undefined) {
    const { lines } = reportFailure(reply.failure, options);
    for (const line of lines) output.talk(line);
  } else if (reply.finishReason === null) output.note('(stopped)');
  else if (conversation.options.stats) output.note(describeStats(reply));
}

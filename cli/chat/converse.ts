import { anySignal } from '../../src/base/any-signal.ts';
import type { ChatMessage } from '../../src/api/chat/chat.ts';
import type { Client } from '../client/client.ts';
import { isElsewhere } from '../client/own-daemon.ts';
import type { Context } from '../context.ts';
import { reportFailure } from '../output/failure-report.ts';
import { createPullNotices } from '../models/pull/pull-notices.ts';
import { formatCount } from '../output/format.ts';
import { createAttachments, takeContent } from './attach.ts';
import { editDraft } from './draft.ts';
import { createLineReader, setRaw, watchForStop, type Input, type Prompts } from './line-reader.ts';
import { readMessageText } from './message.ts';
import { chatRequest, isProse } from './options.ts';
import { createPrinter } from './printer.ts';
import { describeStats, receiveReply, printOnce, type Reply } from './reply.ts';
import { record } from './recording.ts';
import { createCompletion } from './slash-completion.ts';
import { runSlashCommand, type Conversation } from './slash-commands.ts';
import { askForTool } from './tools/ask.ts';
import { replyWithTools } from './tools/reply.ts';
import type { Talk } from './talk.ts';

const PROMPT = '>>> ';
const CONTINUED = '... ';
const BEGIN: Prompts = { first: PROMPT, next: CONTINUED };
const GO_ON: Prompts = { first: CONTINUED, next: CONTINUED };
const NOT_KEPT =
  'note: this conversation is not kept, because no daemon runs on this machine. To keep it, first: askd up';
const NOTHING_TYPED: Buffer = Buffer.alloc(0);

/** An interactive chat, until Ctrl-D or /bye. */
export async function converse(context: Context, client: Client, talk: Talk): Promise<void> {
  const { io, output, paths, signal } = context;
  const conversation: Conversation = { ...talk, over: false, attachments: createAttachments(client) };
  const complete = createCompletion(client, talk);
  const lines = createLineReader(io, { historyPath: paths.chatHistory, complete, signal });
  const edit = (draft: string) => editDraft(context, draft);
  const notices = isElsewhere(context) ? undefined : createPullNotices(client);
  output.note(greeting(talk));
  if ((await talk.saved.store()) === undefined) output.note(NOT_KEPT);
  try {
    while (!conversation.over) {
      for (const line of (await notices?.next(conversation.options.model)) ?? []) output.note(line);
      const input = await readMessage(lines.read, edit);
      if (input.kind === 'end') return output.line('');
      if (input.kind === 'interrupt') output.line('\nTo leave: Ctrl-D or /bye');
      else if (input.text !== '') lines.typedAhead(await respond(context, client, conversation, input.text));
    }
  } finally {
    setRaw(io.stdin, false);
  }
}

function greeting({ options, messages, saved: { name } }: Talk): string {
  const past = messages.length === 0 ? '' : ` · ${name}, ${formatCount(messages.length, 'message')} so far`;
  return `${options.model}${past} · /? for help`;
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

/** Returns what was typed meanwhile. */
async function respond(
  context: Context,
  client: Client,
  conversation: Conversation,
  text: string,
): Promise<Buffer> {
  const shown = await runSlashCommand(conversation, text);
  if (shown !== undefined) {
    if (shown) context.output.line(shown);
    return NOTHING_TYPED;
  }
  const question: ChatMessage = { role: 'user', content: takeContent(conversation.attachments, text) };
  const { reply, typed } = await takeReply(context, client, conversation, question);
  reportReply(context, conversation, reply);
  return typed;
}

async function takeReply(
  { io, output, signal }: Context,
  client: Client,
  conversation: Conversation,
  question: ChatMessage,
): Promise<{ reply: Reply; typed: Buffer }> {
  const { options, messages, toolbox } = conversation;
  const stopper = new AbortController();
  // A stopped reply stays in the conversation; a question without a reply does not.
  const recording = record(conversation, question, output);
  const open = () => createPrinter(output, io.stdout, { isMarkdown: isProse(options) });
  let printer = open();
  const watch = () => watchForStop(io, () => stopper.abort(new Error('stopped')));
  let keys = watch();
  /** What is typed is the answer meanwhile, and no longer the next message. */
  const ask = async (question: string) => {
    keys.end();
    printer.end();
    printer = open();
    const answer = await askForTool(question, io, anySignal(signal, stopper.signal));
    keys = watch();
    return answer;
  };
  let typed = NOTHING_TYPED;
  const request = chatRequest(options, [...messages, question]);
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
    ? replyWithTools(client, request, chat, { toolbox, ask, signal: anySignal(signal, stopper.signal) })
    : receiveReply(client, request, chat);
  const reply = await receiving.finally(() => (typed = keys.end()));
  printer.end();
  await recording.end(reply);
  signal.throwIfAborted();
  if (stopper.signal.aborted) delete reply.failure;
  return { reply, typed };
}

function reportReply({ output, io, options }: Context, conversation: Conversation, reply: Reply): void {
  if (reply.failure !== undefined) {
    const { lines } = reportFailure(reply.failure, options);
    for (const line of lines) io.stderr.write(`${line}\n`);
  } else if (reply.finishReason === null) output.note('(stopped)');
  else if (conversation.options.stats) output.note(describeStats(reply));
}

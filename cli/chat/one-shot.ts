import { readFileSync } from 'node:fs';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { withImages } from './images.ts';
import type { Output } from '../output/output.ts';
import { sanitise } from '../output/sanitise.ts';
import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { chatRequest, isProse } from './options.ts';
import { record, type Recording } from './recording.ts';
import { askForTool } from './tools/ask.ts';
import { replyWithTools } from './tools/reply.ts';
import type { Talk } from './talk.ts';
import { createPrinter } from './printer.ts';
import { describeStats, receiveReply, printOnce, type Reply } from './reply.ts';

/** One prompt, one reply. */
export async function answerOnce(
  context: Context,
  client: Client,
  talk: Talk,
  prompt: string,
): Promise<void> {
  const { output } = context;
  const { options } = talk;
  const question: ChatMessage = { role: 'user', content: withImages(prompt, options.image) };
  await showImages(context, options.image ?? []);
  const recording = talk.saved.isNamed ? record(talk, question, output) : undefined;
  const reply = await writeReply(context, client, talk, { question, recording });
  await recording?.end(reply);
  if (output.json && isWorthPrinting(reply)) output.result(replyDocument(reply), () => '');
  if (reply.failure !== undefined) throw reply.failure;
  if (reply.finishReason === 'length') output.note('note: the reply was cut off at the maximum length.');
  if (options.stats) output.note(describeStats(reply));
}

async function showImages(context: Context, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const { showPicture } = await import('../tasks/image/preview.ts');
  for (const file of files) await showPicture(context, readFileSync(file));
}

async function writeReply(
  { io, output, signal }: Context,
  client: Client,
  { options, messages, toolbox }: Talk,
  { question, recording }: { question: ChatMessage; recording: Recording | undefined },
): Promise<Reply> {
  const open = () => createPrinter(output, io.stdout, { isMarkdown: isProse(options), theme: options.theme });
  let printer = open();
  const request = chatRequest({ ...options, stats: options.stats ?? output.json }, [...messages, question]);
  const onText = (text: string) => {
    recording?.text(text);
    if (!output.json) printer.push(text);
  };
  const receiving = {
    stream: options.stream,
    onText,
    ...(io.stderr.isTTY && { onThought: printOnce(output) }),
    ...(options.showPrompt && { onPrompt: (prompt: string) => showPrompt(prompt, output, io.stderr) }),
  };
  const withMessages = { ...receiving, ...(recording && { onMessage: recording.message }) };
  const ask = (question: string) => {
    printer.end();
    printer = open();
    return askForTool(question, io, signal);
  };
  const reply = await (toolbox
    ? replyWithTools(client, request, withMessages, { toolbox, ask, signal })
    : receiveReply(client, request, receiving));
  printer.end();
  return reply;
}

/** To stderr, because it is not part of the reply, and verbatim, because whitespace matters. */
function showPrompt(prompt: string, output: Output, stderr: { write: (text: string) => unknown }): void {
  if (!output.json) stderr.write(`${sanitise(prompt)}\n`);
}

/** An interrupted reply is still printed, without a finish reason; a rejected request has none. */
function isWorthPrinting({ failure, content }: Reply): boolean {
  return failure === undefined || content !== '';
}

function replyDocument({ model, content, reasoning, prompt, finishReason, usage, stats }: Reply) {
  const thought = reasoning === '' ? {} : { reasoning };
  const shown = prompt === undefined ? {} : { prompt };
  return {
    schema: 'chat/1',
    model,
    content,
    ...thought,
    ...shown,
    finish_reason: finishReason,
    usage,
    stats,
  };
}

import type { Client } from '../client.ts';
import type { Context } from '../context.ts';
import { withImages } from './images.ts';
import { chatRequest, type ChatOptions } from './options.ts';
import { createPrinter } from './printer.ts';
import { describeStats, receiveReply, type Reply } from './reply.ts';

/** One prompt, one reply. */
export async function answerOnce(
  context: Context,
  client: Client,
  options: ChatOptions,
  prompt: string,
): Promise<void> {
  const { output } = context;
  const reply = await writeReply(context, client, options, prompt);
  if (output.json && isWorthPrinting(reply)) output.result(replyDocument(reply), () => '');
  if (reply.failure !== undefined) throw reply.failure;
  if (reply.finishReason === 'length') output.note('note: the reply was cut at its longest allowed length.');
  if (options.stats) output.note(describeStats(reply));
}

async function writeReply(
  { io, output }: Context,
  client: Client,
  options: ChatOptions,
  prompt: string,
): Promise<Reply> {
  const printer = createPrinter(output, io.stdout);
  const request = chatRequest({ ...options, stats: options.stats ?? output.json }, [
    { role: 'user', content: withImages(prompt, options.image) },
  ]);
  const onText = output.json ? () => undefined : printer.push;
  const reply = await receiveReply(client, request, { stream: options.stream, onText });
  printer.end();
  return reply;
}

/** A reply that broke off is still given, without a finish reason; a request that was refused has none. */
function isWorthPrinting({ failure, content }: Reply): boolean {
  return failure === undefined || content !== '';
}

function replyDocument({ model, content, finishReason, usage, stats }: Reply) {
  return { schema: 'chat/1', model, content, finish_reason: finishReason, usage, stats };
}

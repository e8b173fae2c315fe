import type { SavedChat } from '../../../src/api/management/chats.ts';
import { lineTo, toChatMessage } from '../../chat/branches.ts';
import { chatRequest } from '../../chat/options.ts';
import { receiveReply, type Reply } from '../../chat/reply.ts';
import type { Answer } from '../../chat/tools/ask.ts';
import { replyWithTools } from '../../chat/tools/reply.ts';
import type { Toolbox } from '../../chat/tools/toolbox.ts';
import type { Client } from '../../client/client.ts';
import { reasonOf } from '../data/event-stream.ts';
import type { Store } from '../state/store.ts';
import { recordReply, type ReplyRecord } from './reply-record.ts';
import type { ChatAction } from './state.ts';

export type Replies = ReturnType<typeof createReplies>;

export type Request = {
  client: Client;
  conversation: SavedChat;
  /** The message that is answered. */
  parent: string;
  /** Opens the tools that the model may call. */
  openTools?: () => Promise<Toolbox | undefined>;
};

type Asked = { question: string; diff?: string | undefined };
type Running = { controller: AbortController; ended: Promise<boolean>; decide?: (answer: Answer) => void };

/** Answers that are arriving, whatever screen is shown. */
export function createReplies(store: Store) {
  const running = new Map<string, Running>();
  const dispatch = (change: ChatAction) => store.dispatch({ type: 'chat', change });

  /** Returns whether the answer is complete. */
  async function follow(request: Request, signal: AbortSignal): Promise<boolean> {
    const { client, conversation, parent } = request;
    const { id: chat, model } = conversation;
    const record = recordReply({ client, chat, model, dispatch }, parent);
    try {
      const { failure } = await receive(request, record, signal);
      await record.end();
      dispatch({ kind: 'ended', chat, ...(failure && !signal.aborted && { failure: reasonOf(failure) }) });
      return failure === undefined && !signal.aborted;
    } catch (error) {
      dispatch({ kind: 'ended', chat, ...(!signal.aborted && { failure: reasonOf(error) }) });
      return false;
    } finally {
      running.delete(chat);
    }
  }

  async function receive(
    { client, conversation, parent, openTools }: Request,
    record: ReplyRecord,
    signal: AbortSignal,
  ): Promise<Reply> {
    const { id: chat, model, system, messages } = conversation;
    const options = { model, stream: true, ...(system !== null && { system }) };
    const request = chatRequest(options, lineTo(messages, parent).map(toChatMessage));
    const receiving = { stream: true, signal, onText: record.text, onThought: record.thought };
    const toolbox = await openTools?.();
    if (toolbox === undefined) return receiveReply(client, request, receiving);
    const ask = (question: string, diff?: string) => decision(chat, { question, diff }, signal);
    return replyWithTools(
      client,
      request,
      { ...receiving, onMessage: record.message },
      { toolbox, ask, signal },
    );
  }

  /** Waits for the user; stopping the answer counts as no. */
  function decision(chat: string, asked: Asked, signal: AbortSignal): Promise<Answer> {
    dispatch({ kind: 'asked', chat, ...asked });
    return new Promise<Answer>((resolve) => {
      const entry = running.get(chat);
      if (entry) entry.decide = resolve;
      signal.addEventListener('abort', () => resolve('no'), { once: true });
    }).finally(() => dispatch({ kind: 'asked', chat }));
  }

  return {
    /** Asks for the message after this one. Resolves to whether it is complete. */
    start(request: Request): Promise<boolean> {
      const controller = new AbortController();
      const entry: Running = { controller, ended: Promise.resolve(false) };
      running.set(request.conversation.id, entry);
      entry.ended = follow(request, controller.signal);
      return entry.ended;
    },
    stop: (chat: string): void => running.get(chat)?.controller.abort(),
    /** Whether the tool that the model wants to call may run. */
    decide: (chat: string, answer: Answer): void => running.get(chat)?.decide?.(answer),
    /** Resolves when what has arrived is saved. */
    async close(): Promise<void> {
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

import { useCallback, useRef, useState } from 'react';
import { infer, readEvents } from '../../../data/playground-key.ts';

export type Message = { role: 'system' | 'user' | 'assistant'; content: string };
export type Summary = { prompt: number; completion: number; seconds: number; firstMs: number };
export type Turn = {
  role: 'user' | 'assistant';
  content: string;
  reasoning: string;
  state: 'done' | 'streaming' | 'stopped' | 'failed';
  error?: Error;
  summary?: Summary;
};

type Chunk = {
  choices: { delta: { content?: string | null; reasoning_content?: string | null } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  error?: { message: string };
};

export function useChat() {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const running = useRef<AbortController>(undefined);
  const latest = useRef(turns);
  latest.current = turns;

  const changeLast = useCallback((change: (turn: Turn) => Turn) => {
    setTurns((all) => all.map((turn, index) => (index === all.length - 1 ? change(turn) : turn)));
  }, []);

  const messages = () => toMessages(latest.current);

  async function send(text: string, toBody: (messages: Message[]) => object): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    const body = toBody([...messages(), { role: 'user', content: text }]);
    setTurns((all) => [
      ...all,
      { role: 'user', content: text, reasoning: '', state: 'done' },
      { role: 'assistant', content: '', reasoning: '', state: 'streaming' },
    ]);
    try {
      await stream(body, controller.signal, changeLast);
      changeLast((turn) => ({ ...turn, state: 'done' }));
    } catch (error) {
      const stopped = controller.signal.aborted;
      changeLast((turn) => ({
        ...turn,
        state: stopped ? 'stopped' : 'failed',
        ...(!stopped && { error: error as Error }),
      }));
    }
  }

  const stop = () => running.current?.abort();
  const clear = () => {
    stop();
    setTurns([]);
  };
  return { turns, messages, send, stop, clear, isBusy: turns.at(-1)?.state === 'streaming' };
}

function toMessages(turns: readonly Turn[]): Message[] {
  return turns
    .filter(({ content, state }) => content !== '' && state !== 'failed')
    .map(({ role, content }) => ({ role, content }));
}

async function stream(
  body: object,
  signal: AbortSignal,
  changeLast: (change: (turn: Turn) => Turn) => void,
): Promise<void> {
  const began = performance.now();
  let firstMs: number | undefined;
  const response = await infer('/v1/chat/completions', body, signal);
  for await (const data of readEvents(response)) {
    if (data === '[DONE]') return;
    const { choices, usage, error } = JSON.parse(data) as Chunk;
    if (error) throw new Error(error.message);
    const { content, reasoning_content: reasoning } = choices?.[0]?.delta ?? {};
    if (content || reasoning) firstMs ??= performance.now() - began;
    const seconds = (performance.now() - began) / 1000;
    changeLast((turn) => ({
      ...turn,
      content: turn.content + (content ?? ''),
      reasoning: turn.reasoning + (reasoning ?? ''),
      ...(usage && {
        summary: {
          prompt: usage.prompt_tokens,
          completion: usage.completion_tokens,
          seconds,
          firstMs: firstMs ?? seconds * 1000,
        },
      }),
    }));
  }
}

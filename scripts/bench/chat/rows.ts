import { EventEmitter, once } from 'node:events';
import type { Message } from '../overhead/chat-client.ts';
import { median, tokensPerSecond } from '../overhead/timing.ts';
import { user, type Ask } from './client.ts';

/** A measurement, and whether higher or lower is better. */
export type Row = {
  name: string;
  unit: 'tokens/s' | 'requests/s' | 'ms';
  measure: (ask: Ask, serial: number) => Promise<number>;
};

/** How long prompts and answers are. */
export type Size = { answer: number; prompts: readonly number[]; turn: number; beside: number };
export const FULL: Size = { answer: 64, prompts: [100, 1000, 4000], turn: 2000, beside: 6000 };
/** The same rows in less than two minutes, with shorter prompts. */
export const QUICK: Size = { answer: 32, prompts: [100, 1000], turn: 500, beside: 1500 };

const CLIENTS = 20;
/** What the template and the roles add to one message. */
const TEMPLATE_TOKENS = 19;

export function rowsOf({ answer, prompts, turn }: Size): readonly Row[] {
  return [
    ...[1, 4, 8].map((streams) => decodeRow(streams, answer)),
    ...prompts.map(firstTokenRow),
    {
      name: `second turn after ${turn.toLocaleString('en')} tokens: first token`,
      unit: 'ms',
      measure: (ask, serial) => secondTurnMs(ask, { serial, turn }),
    },
    { name: `${CLIENTS} clients with short prompts`, unit: 'requests/s', measure: clientsPerSecond },
  ];
}

function decodeRow(streams: number, answerTokens: number): Row {
  return {
    name: `${streams} ${streams === 1 ? 'stream' : 'streams together'}`,
    unit: 'tokens/s',
    async measure(ask, serial) {
      const prompts = Array.from({ length: streams }, (_, place) => promptOf(40, `${serial} ${place}`));
      const options = { maxTokens: answerTokens };
      return tokensPerSecond(await Promise.all(prompts.map((prompt) => ask(prompt, options))));
    },
  };
}

function firstTokenRow(tokens: number): Row {
  const measure = (ask: Ask, serial: number) => firstTokenMs(ask, promptOf(tokens, String(serial)));
  return { name: `first token of ${tokens.toLocaleString('en')} prompt tokens`, unit: 'ms', measure };
}

/** As SDKs do: the whole conversation is sent again, with the answer as text. */
async function secondTurnMs(ask: Ask, { serial, turn }: { serial: number; turn: number }): Promise<number> {
  const first = promptOf(turn, `conversation ${serial}`);
  const { text } = await ask(first, { maxTokens: 32 });
  return firstTokenMs(ask, [...first, { role: 'assistant', content: text }, user('And then?')]);
}

/** How many times as long an uncached prompt of the same length takes. */
export async function reuseGain(
  ask: Ask,
  { serial, turn }: { serial: number; turn: number },
): Promise<number> {
  const first = promptOf(turn, `reuse ${serial}`);
  const { text } = await ask(first, { maxTokens: 32 });
  const second = await ask([...first, { role: 'assistant', content: text }, user('And then?')], {
    maxTokens: 1,
  });
  const unread = await firstTokenMs(ask, promptOf(second.promptTokens, `unread ${serial}`));
  return unread / (second.arrivalsMs[0] ?? Number.NaN);
}

async function clientsPerSecond(ask: Ask, serial: number): Promise<number> {
  const startedAt = performance.now();
  const prompts = Array.from({ length: CLIENTS }, (_, place) => promptOf(40, `${serial} client ${place}`));
  await Promise.all(prompts.map((prompt) => ask(prompt, { maxTokens: 16 })));
  return (1000 * CLIENTS) / (performance.now() - startedAt);
}

export type Beside = { gapMs95: number; speed: number };

const STREAM_TOKENS_BEFORE = 8;

/** A stream during the prefill of a long prompt, and the speed of that prefill compared with an idle server. */
export async function besideLongPrompt(
  ask: Ask,
  { tokens, serial }: { tokens: number; serial: number },
): Promise<Beside> {
  const aloneMs = await firstTokenMs(ask, promptOf(tokens, `alone ${serial}`));
  const arrivals: number[] = [];
  const stop = new AbortController();
  const running = new EventEmitter();
  const isRunning = once(running, 'text');
  const stream = ask(promptOf(40, `stream ${serial}`), {
    maxTokens: 4000,
    signal: stop.signal,
    onText() {
      arrivals.push(performance.now());
      if (arrivals.length === STREAM_TOKENS_BEFORE) running.emit('text');
    },
  });
  await Promise.race([isRunning, stream]);
  const from = performance.now();
  const besideMs = await firstTokenMs(ask, promptOf(tokens, `beside ${serial}`));
  stop.abort();
  await stream;
  const until = from + besideMs;
  const during = [...arrivals.filter((at) => at >= from && at <= until), until];
  const gaps = during.map((at, index) => at - (during[index - 1] ?? from));
  return { gapMs95: percentile(gaps, 0.95), speed: aloneMs / besideMs };
}

async function firstTokenMs(ask: Ask, messages: readonly Message[]): Promise<number> {
  const { arrivalsMs } = await ask(messages, { maxTokens: 1 });
  return arrivalsMs[0] ?? Number.NaN;
}

/**
 * One message with this many tokens for the model, whose tokens are bytes; its difference from all others comes
 * first.
 */
export function promptOf(tokens: number, difference: string): readonly Message[] {
  const filler = ' and so on'.repeat(Math.ceil(tokens / 10));
  return [user(`${difference}:${filler}`.slice(0, tokens - TEMPLATE_TOKENS))];
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? median(values);
}

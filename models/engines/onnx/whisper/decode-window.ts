import { deflateSync } from 'node:zlib';
import type { Tensor } from '@huggingface/transformers';
import type { DecoderState, WhisperNetwork } from './network.ts';
import { applyRules, chooseToken, probabilityOf } from './rules.ts';
import type { WhisperTokens } from './tokens.ts';

/** The transcript of one window. */
export type DecodedWindow = {
  tokens: number[];
  /** The cross-attention of each token, layer by layer. */
  attentions: (readonly Tensor[])[];
  temperature: number;
  averageLogprob: number;
  compressionRatio: number;
  noSpeechProbability: number;
};

export type DecodeWindowOptions = {
  network: WhisperNetwork;
  tokens: WhisperTokens;
  decode: (tokens: readonly number[]) => string;
  /** The decoder's prompt, up to the task. */
  prompt: readonly number[];
  temperature: number;
  keepAttentions: boolean;
  signal: AbortSignal;
};

/** A window that repeats itself or has a low probability is decoded again at a higher temperature. */
const TEMPERATURE_STEP = 0.2;
const LOGPROB_MIN = -1;
const COMPRESSION_MAX = 2.4;
/** Above this the window is silent, if the model is also unsure of the text. */
const NO_SPEECH_MIN = 0.6;
const TOKENS_MAX = 224;

export async function decodeWindow(
  listening: DecoderState,
  options: DecodeWindowOptions,
): Promise<DecodedWindow> {
  let decoded = await attempt(listening, options);
  while (isDoubtful(decoded) && decoded.temperature + TEMPERATURE_STEP <= 1.001) {
    const temperature = decoded.temperature + TEMPERATURE_STEP;
    decoded = await attempt(listening, { ...options, temperature });
  }
  return decoded;
}

export function isSilence({ noSpeechProbability, averageLogprob }: DecodedWindow): boolean {
  return noSpeechProbability > NO_SPEECH_MIN && averageLogprob < LOGPROB_MIN;
}

function isDoubtful(decoded: DecodedWindow): boolean {
  if (isSilence(decoded)) return false;
  return decoded.compressionRatio > COMPRESSION_MAX || decoded.averageLogprob < LOGPROB_MIN;
}

async function attempt(listening: DecoderState, options: DecodeWindowOptions): Promise<DecodedWindow> {
  const { network, tokens, decode, prompt, temperature, keepAttentions, signal } = options;
  const own: DecoderState = { hidden: listening.hidden, cache: undefined };
  const decoded: number[] = [];
  const attentions: (readonly Tensor[])[] = [];
  let [logprobs, noSpeechProbability] = [0, 0];
  let input = prompt;
  for (;;) {
    signal.throwIfAborted();
    const step = await network.decode(own, input);
    const rows = step.logits.length / step.vocabulary;
    if (decoded.length === 0 && tokens.noSpeech !== undefined) {
      const row = rowOf(step.logits, step.vocabulary, prompt.indexOf(tokens.start));
      noSpeechProbability = probabilityOf(row, tokens.noSpeech);
    }
    const logits = rowOf(step.logits, step.vocabulary, rows - 1).slice();
    applyRules(logits, decoded, tokens);
    const { token, logprob } = chooseToken(logits, temperature);
    logprobs += logprob;
    if (token === tokens.end || decoded.length >= TOKENS_MAX) break;
    decoded.push(token);
    if (keepAttentions) attentions.push(step.attentions);
    input = [token];
  }
  const averageLogprob = logprobs / (decoded.length + 1);
  const compressionRatio = compressionOf(decode(decoded.filter((token) => token < tokens.end)));
  return { tokens: decoded, attentions, temperature, averageLogprob, compressionRatio, noSpeechProbability };
}

function rowOf(logits: Float32Array, width: number, row: number): Float32Array {
  return logits.subarray(row * width, (row + 1) * width);
}

/** The compression ratio: text that repeats itself compresses well. */
function compressionOf(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length === 0 ? 1 : bytes.length / deflateSync(bytes).length;
}

/** The language that the decoder finds most likely, in one step. */
export async function detectLanguage(
  network: WhisperNetwork,
  listening: DecoderState,
  { start, languages }: WhisperTokens,
): Promise<string> {
  const { logits } = await network.decode({ hidden: listening.hidden, cache: undefined }, [start]);
  const [[first, ...rest]] = [[...languages]];
  const best = rest.reduce(
    (leader, candidate) => (scoreOf(logits, candidate) > scoreOf(logits, leader) ? candidate : leader),
    first as [string, number],
  );
  return best[0];
}

function scoreOf(logits: Float32Array, [, token]: readonly [string, number]): number {
  return logits[token] ?? -Infinity;
}

import type { EngineName, ModelManifest } from './manifest.ts';

/** Loads one kind of model file. Runs inside a runner, never in the daemon. */
export type Engine = {
  name: EngineName;
  load(manifest: ModelManifest, options: LoadOptions, signal: AbortSignal): Promise<Session>;
};

export type LoadOptions = {
  /** Requests that may run at the same time. */
  slots: number;
  /** Context of one request, in tokens, whatever the number of slots. */
  contextTokens: number;
  /** Known from an earlier calibration on this machine; calibrated at load when absent. */
  threads?: number;
  onProgress?: (fraction: number) => void;
};

/** A loaded model. A method that is there is the capability. Every method stops on abort. */
export type Session = {
  description: SessionDescription;
  /** Yields one `prompt`, then `text` events, then exactly one `end`; an abort ends with reason `abort`, it does not throw. */
  chat?: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;
  /** Tokens of the prompt that `chat` would evaluate for these messages. */
  countTokens?: (messages: readonly ChatMessage[], signal: AbortSignal) => Promise<number>;
  /** One vector of length 1 for each input. */
  embed?: (request: EmbedRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<Float32Array>>;
  /** How well each document answers the query, from 0 to 1. */
  rerank?: (request: RerankRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<number>>;
  /** What a classifier thinks of each text: a probability for each label that it has. */
  classify?: (request: ClassifyRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<LabelScores>>;
  /** How likely the answer to each question about each text is yes. */
  judge?: (request: JudgeRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<LabelScores>>;
  /** Of a model that is made for nothing else; a model that chats can be asked for a translation. */
  translate?: (request: TranslateRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<TranslatedText>>;
  /** Yields one `sound`, then what it hears as it goes, then one `end`; an abort ends it without one. */
  transcribe?: (request: TranscribeRequest, signal: AbortSignal) => AsyncIterable<TranscribeEvent>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type SessionDescription = {
  slots: number;
  contextTokens: number;
  threads: number;
  device: string;
  /** Why it does not run where one would expect it to. */
  fallback?: string;
  /** What it takes, by what the engine says after loading. */
  memory?: { ram: number; vram: number };
  /** The graphics cards that the engine can use, if there are any. */
  graphics?: GraphicsMemory;
  /** The tokens of a prompt are known only after the answer: what is counted before is a guess for what to hold. */
  countsAreEstimates?: true;
  /** Present when this load measured the thread count itself. */
  calibration?: Calibration;
};

export type GraphicsMemory = {
  /** As the engine names it: cuda, vulkan, metal. */
  kind: string;
  devices: readonly string[];
  totalBytes: number;
  /** Taken from the machine's own memory, as on Apple silicon. */
  isShared: boolean;
};

export type Calibration = {
  threads: number;
  measurements: ThreadMeasurement[];
  /** Whether the machine had nothing else to do, so that the result is worth keeping. */
  isCalm: boolean;
};

export type ThreadMeasurement = { threads: number; msPerToken: number };

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

export type ChatRequest = {
  messages: readonly ChatMessage[];
  /** Generation also ends where the context does. */
  maxTokens: number;
  /** What the client itself asked for, if it did. */
  askedTokens?: number;
  stop: readonly string[];
  sampling: Sampling;
};

export type Sampling = {
  temperature: number;
  topP: number;
  presencePenalty: number;
  frequencyPenalty: number;
  seed?: number;
};

export type ChatEvent =
  | { type: 'prompt'; promptTokens: number; cachedTokens: number }
  /** `completionTokens` counts all tokens generated so far, those still held back included. */
  | { type: 'text'; text: string; completionTokens: number }
  | { type: 'end'; reason: EndReason; completionTokens: number; prompt?: PromptCount };

/** What a prompt was, where it was only a guess before. */
export type PromptCount = { promptTokens: number; cachedTokens: number };

/**
 * The way of every task over a list: one `prompt` once all items are read and known to fit, then each item when it is
 * done. An abort ends it between two items; it does not throw.
 */
export type ItemEvent<Result> =
  | { type: 'prompt'; promptTokens: number }
  | { type: 'item'; index: number; promptTokens: number; result: Result };

/** A text, or the tokens that it was cut into by somebody who has this model's tokenizer. */
export type TokenInput = string | readonly number[];

export type EmbedRequest = {
  inputs: readonly TokenInput[];
  /** Fewer than the model's own: the beginning of the vector, made length 1 again. */
  dimensions?: number;
};

export type RerankRequest = { query: string; documents: readonly string[] };

export type ClassifyRequest = { inputs: readonly string[] };
export type LabelScores = Record<string, number>;

export type JudgeRequest = {
  inputs: readonly string[];
  /** The message to the model, with `{content}` for a text and, after it, `{policy}` for a question. */
  prompt: string;
  questions: Readonly<Record<string, string>>;
  answers: { yes: string; no: string };
};

export type TranslateRequest = {
  texts: readonly string[];
  /** Codes of languages, without regions. */
  source: string;
  target: string;
  /** For all texts together. */
  maxTokens: number;
};
/** `isComplete` is false where the translation did not end within what it might take. */
export type TranslatedText = { text: string; completionTokens: number; isComplete: boolean };

export type TranscribeRequest = {
  /** A file on this machine, with sound in any container that is known. */
  path: string;
  task: 'transcribe' | 'translate';
  /** A code; found out by the model when it is absent. */
  language?: string;
  /** What was said before, or how names are written. */
  prompt?: string;
  temperature: number;
  /** Whether the time of each word is wanted. */
  words: boolean;
  /** Sound that is longer is refused. */
  secondsMax: number;
};

export type TranscribeEvent =
  /** How long the file is, before anything is heard. */
  | { type: 'sound'; seconds: number }
  | { type: 'language'; language: string }
  | { type: 'segment'; segment: Segment }
  /** All before this time has been heard. */
  | { type: 'progress'; seconds: number }
  | { type: 'end'; seconds: number };

/** Times are in seconds from the beginning of the file. */
export type Segment = {
  start: number;
  end: number;
  text: string;
  tokens: number[];
  temperature: number;
  averageLogprob: number;
  compressionRatio: number;
  noSpeechProbability: number;
  words?: TimedWord[];
};
export type TimedWord = { word: string; start: number; end: number };

export type EndReason = 'stop' | 'length' | 'abort';

/** The methods a runner carries over the wire: those that stream, and those that answer once. */
export const STREAMING_METHODS = ['chat', 'embed', 'rerank', 'classify', 'judge', 'translate', 'transcribe'] as const;
export const SINGLE_METHODS = ['countTokens'] as const;
export type StreamingMethod = (typeof STREAMING_METHODS)[number];
export type SingleMethod = (typeof SINGLE_METHODS)[number];

import type { SpeakEvent, SpeakRequest, TranscribeEvent, TranscribeRequest } from './sound.ts';
import type { CacheType, FlashAttention } from '../config/context-cache.ts';
import type { DraftCounts, Drafting } from '../config/speculative.ts';
import type { EngineName, ModelManifest } from './manifest.ts';
import type { SessionDescription } from './session-description.ts';

export type {
  Segment,
  SpeakEvent,
  SpeakRequest,
  SpeechFormat,
  TimedWord,
  TranscribeEvent,
  TranscribeRequest,
} from './sound.ts';
export type {
  Calibration,
  ChatAbilities,
  GraphicsMemory,
  SessionDescription,
  ThreadMeasurement,
} from './session-description.ts';

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
  /** Of engines that keep a context; the engine decides what is absent. */
  flashAttention?: FlashAttention;
  cacheType?: CacheType;
  /** System prompts whose state is kept in files of this folder. */
  pinnedPrompts?: { texts: readonly string[]; folder: string };
  /** Off when absent. A draft model of the manifest comes first. */
  drafting?: Drafting;
  /** The folder of packages of an engine that is installed on demand, or of a llama engine that was compiled here. */
  modules?: string;
  onProgress?: (fraction: number) => void;
};

/** A loaded model. A method that is there is the capability. Every method stops on abort. */
export type Session = {
  description: SessionDescription;
  /**
   * Yields one `prompt`, then what is said, then exactly one `end` for each choice; an abort ends with one `end` of reason
   * `abort`, it does not throw.
   */
  chat?: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;
  /** Tokens of the prompt that `chat` would evaluate. */
  countTokens?: (prompt: ChatPrompt, signal: AbortSignal) => Promise<number>;
  tokenize?: (request: TokenizeRequest, signal: AbortSignal) => Promise<TokenText[]>;
  detokenize?: (tokens: readonly number[], signal: AbortSignal) => Promise<string>;
  /** One vector of length 1 for each input. */
  embed?: (request: EmbedRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<Float32Array>>;
  /** How well each document answers the query, from 0 to 1. */
  rerank?: (request: RerankRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<number>>;
  /** What a classifier thinks of each text: a probability for each label that it has. */
  classify?: (request: ClassifyRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<LabelScores>>;
  /** How likely the answer to each question about each text is yes. */
  classifyByPrompt?: (
    request: ClassifyByPromptRequest,
    signal: AbortSignal,
  ) => AsyncIterable<ItemEvent<LabelScores>>;
  /** Of a model that is made for nothing else; a model that chats can be asked for a translation. */
  translate?: (request: TranslateRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<TranslatedText>>;
  /** Yields one `sound`, then what it hears as it goes, then one `end`; an abort ends it without one. */
  transcribe?: (request: TranscribeRequest, signal: AbortSignal) => AsyncIterable<TranscribeEvent>;
  /** Yields a file of sound piece by piece, then one `end`; an abort ends it without one. */
  speak?: (request: SpeakRequest, signal: AbortSignal) => AsyncIterable<SpeakEvent>;
  /** Yields a `step` after each one, the drafts that were asked for, and at last the picture; an abort ends it without one. */
  draw?: (request: DrawRequest, signal: AbortSignal) => AsyncIterable<DrawEvent>;
  /** Since it was loaded. */
  draftCounts?: () => DraftCounts;
  /** What processes of its own take, at this moment. */
  helperMemoryBytes?: () => number;
  [Symbol.asyncDispose](): Promise<void>;
};

export type ContentPart = { type: 'text'; text: string } | { type: 'image'; data: string; mime: string };

/** `arguments` is the text of a JSON object, as the model wrote it. */
export type ToolCall = { id: string; name: string; arguments: string };

export type ChatMessage =
  | { role: 'system' | 'user'; content: string | readonly ContentPart[]; name?: string }
  | { role: 'assistant'; content: string; name?: string; reasoning?: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** What a message says in words: its text parts, one to a line. */
export function messageText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function hasImages({ content }: ChatMessage): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'image');
}

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export type ToolDefinition = {
  name: string;
  description?: string;
  parameters: JsonSchema;
  /** Its arguments must fit the schema to the letter; else what can't be kept of it is left to the model. */
  isStrict?: boolean;
};
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** What an answer must be: any JSON object, a document of this schema, or what this GBNF grammar allows. */
export type AnswerFormat =
  { type: 'json' } | { type: 'schema'; schema: JsonSchema } | { type: 'grammar'; grammar: string };

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type Reasoning = {
  effort: (typeof REASONING_EFFORTS)[number];
  /** After so many tokens the thinking is brought to an end; by the effort when absent. */
  maxTokens?: number;
};

/** What a prompt is made of. */
export type ChatPrompt = {
  messages: readonly ChatMessage[];
  /** The last message is the beginning of the answer, which goes on from there. */
  continues?: true;
  /** Further variables for the chat template, as the author of the model named them. */
  templateArguments?: Readonly<Record<string, unknown>>;
  /** Instead of messages: a text to go on with as it is, or one to fill in before its suffix. */
  raw?: { text: string | readonly number[]; suffix?: string };
  tools?: readonly ToolDefinition[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  format?: AnswerFormat;
  reasoning?: Reasoning;
};

export type ChatRequest = ChatPrompt & {
  /** For each choice. Generation also ends where the context does. */
  maxTokens: number;
  /** What the client itself asked for, if it did. */
  askedTokens?: number;
  stop: readonly string[];
  sampling: Sampling;
  /** How many answers to give to the one prompt. */
  choices?: number;
  /** The likelihood of each token, and of so many others in its place. */
  logprobs?: { top: number };
  /** Tokens made likelier or less likely, from -100 (never) to 100 (always). */
  logitBias?: Readonly<Record<string, number>>;
  /** The text of the prompt comes with the `prompt` event. */
  showPrompt?: boolean;
};

export type Sampling = {
  temperature: number;
  topP: number;
  /** So many of the likeliest tokens are candidates, 0 for all; a number of the engine's when absent. */
  topK?: number;
  /** Minimum probability of a token, relative to the likeliest one. */
  minP?: number;
  /** Locally typical sampling: 1 is off. */
  typicalP?: number;
  /** Penalizes tokens that came before; 1 turns it off. */
  repeatPenalty?: number;
  /** How many of the last tokens all penalties look at; -1 for all. */
  repeatLastTokens?: number;
  presencePenalty: number;
  frequencyPenalty: number;
  seed?: number;
};

export type TokenLogprob = { token: string; logprob: number; bytes: readonly number[] };
export type Logprob = TokenLogprob & { top: readonly TokenLogprob[] };

/**
 * `completionTokens` counts all tokens generated so far, in all choices, those still held back included. `choice` is 0
 * when absent. A tool call is told first, then its arguments as they come; `index` numbers the calls of one choice.
 */
export type ChatEvent =
  | { type: 'prompt'; promptTokens: number; cachedTokens: number; text?: string }
  | { type: 'text'; text: string; completionTokens: number; choice?: number; logprobs?: readonly Logprob[] }
  | { type: 'reasoning'; text: string; completionTokens: number; choice?: number }
  | { type: 'toolCall'; index: number; id: string; name: string; completionTokens: number; choice?: number }
  | { type: 'toolArguments'; index: number; text: string; completionTokens: number; choice?: number }
  | {
      type: 'end';
      reason: EndReason;
      completionTokens: number;
      choice?: number;
      /** How many of its tokens were thought, where there were any. */
      reasoningTokens?: number;
      /** Of the tokens of this choice, where any were guessed. */
      drafts?: DraftCounts;
      /** The stop text that ended it, where one did and the engine knows which. */
      stopText?: string;
      prompt?: PromptCount;
    };

/** What a prompt was, where it was only a guess before. */
export type PromptCount = { promptTokens: number; cachedTokens: number };

/**
 * The way of every task over a list: one `prompt` once all items are read and known to fit, then each item when it is
 * done. An abort ends it between two items; it does not throw.
 */
export type ItemEvent<Result> =
  | { type: 'prompt'; promptTokens: number }
  | { type: 'item'; index: number; promptTokens: number; result: Result };

/** With special tokens added where the model wants them, and read where the text has their names. */
export type TokenizeRequest = { text: string; addsSpecial: boolean; parsesSpecial: boolean };
/** `bytes` are those of the text that the token stands for. */
export type TokenText = { id: number; bytes: readonly number[] };

/** A text, or the tokens that it was cut into by somebody who has this model's tokenizer. */
export type TokenInput = string | readonly number[];

export type EmbedRequest = {
  inputs: readonly TokenInput[];
  /** Fewer than the model's own: the beginning of the vector, made length 1 again. */
  dimensions?: number;
};

export type RerankRequest = {
  query: string;
  documents: readonly string[];
  /** Of a longer document only the beginning is read. */
  maxTokensPerDocument?: number;
};

export type ClassifyRequest = { inputs: readonly string[] };
export type LabelScores = Record<string, number>;

export type ClassifyByPromptRequest = {
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

export type DrawRequest = {
  prompt: string;
  /** What the picture must not show. Only of a model whose manifest says how strongly it is led away from that. */
  negativePrompt?: string;
  /** Of the picture, to the pixel; the model draws it in the size that it was trained for. */
  width: number;
  height: number;
  /** The model's own number when absent. */
  steps?: number;
  seed: number;
  format: PictureFormat;
  /** From 0 to 100, for the formats that lose something. */
  quality?: number;
  /** How many pictures of fewer steps come before the last. */
  drafts: number;
};
export type PictureFormat = 'png' | 'jpeg' | 'webp';

/** `step` counts those of the drafts too. */
export type DrawEvent =
  | { type: 'step'; step: number; steps: number }
  | { type: 'draft'; index: number; picture: Uint8Array }
  | { type: 'picture'; picture: Uint8Array };

export type EndReason = 'stop' | 'length' | 'tool_calls' | 'abort';

/** The methods a runner carries over the wire: those that stream, and those that answer once. */
export const STREAMING_METHODS = [
  'chat',
  'embed',
  'rerank',
  'classify',
  'classifyByPrompt',
  'translate',
  'transcribe',
  'speak',
  'draw',
] as const;
export const SINGLE_METHODS = ['countTokens', 'tokenize', 'detokenize'] as const;
export type StreamingMethod = (typeof STREAMING_METHODS)[number];
export type SingleMethod = (typeof SINGLE_METHODS)[number];
export type Method = StreamingMethod | SingleMethod;

import type { SpeakEvent, SpeakRequest, TranscribeEvent, TranscribeRequest } from './sound.ts';
import type { CacheType, FlashAttention } from '../config/context-cache.ts';
import type { PromptCacheCounts } from '../config/prompt-cache.ts';
import type { DraftCounts, Drafting } from '../config/speculative.ts';
import type { Devices } from './devices/device.ts';
import type { EngineName, ModelManifest } from './manifest.ts';
import type { Sampling } from '../config/sampling.ts';
import type { SessionDescription } from './session-description.ts';

export type { Devices } from './devices/device.ts';
export type { Sampling } from '../config/sampling.ts';

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
  /** Context of one request, in tokens, regardless of the number of slots. */
  contextTokens: number;
  /** From an earlier calibration on this machine; calibrated while loading if absent. */
  threads?: number;
  /** For engines with a context; the engine chooses if absent. */
  flashAttention?: FlashAttention;
  cacheType?: CacheType;
  /** System prompts whose state is saved in files of this folder. */
  pinnedPrompts?: { texts: readonly string[]; folder: string };
  /** For earlier prompts that no longer have a slot; 0 if absent. */
  promptCacheBytes?: number;
  /** Where it computes; the engine decides if absent. */
  devices?: Devices;
  /** Whether a text gets the same bits whatever else is embedded; true if absent. */
  exactVectors?: boolean;
  /** Off if absent. A draft model of the manifest takes precedence. */
  drafting?: Drafting;
  /** The packages of an optional engine, or of a llama engine compiled on this machine. */
  modules?: string;
  onProgress?: (fraction: number) => void;
};

/** A loaded model. It has exactly the methods that it supports, and every method stops on abort. */
export type Session = {
  description: SessionDescription;
  /** Yields one `prompt`, then the deltas, then one `end` for each choice; an abort yields `end`, it does not throw. */
  chat?: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;
  /** Prompt tokens that `chat` would evaluate. */
  countTokens?: (prompt: ChatPrompt, signal: AbortSignal) => Promise<number>;
  tokenize?: (request: TokenizeRequest, signal: AbortSignal) => Promise<TokenText[]>;
  detokenize?: (tokens: readonly number[], signal: AbortSignal) => Promise<string>;
  /** One unit vector for each input. */
  embed?: (request: EmbedRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<Float32Array>>;
  /** The relevance of each document to the query, from 0 to 1. */
  rerank?: (request: RerankRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<number>>;
  /** A classifier's probability for each of its labels. */
  classify?: (request: ClassifyRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<LabelScores>>;
  /** The probability of "yes" for each question about each text. */
  classifyByPrompt?: (
    request: ClassifyByPromptRequest,
    signal: AbortSignal,
  ) => AsyncIterable<ItemEvent<LabelScores>>;
  /** For translation models; a chat model can be prompted for a translation. */
  translate?: (request: TranslateRequest, signal: AbortSignal) => AsyncIterable<ItemEvent<TranslatedText>>;
  /** Yields one `sound`, then the transcript as it goes, then one `end`; an abort ends it without one. */
  transcribe?: (request: TranscribeRequest, signal: AbortSignal) => AsyncIterable<TranscribeEvent>;
  /** Yields an audio file piece by piece, then one `end`; an abort ends it without one. */
  speak?: (request: SpeakRequest, signal: AbortSignal) => AsyncIterable<SpeakEvent>;
  /** Yields each `step`, the requested partial images, and finally the image; an abort ends it without one. */
  draw?: (request: DrawRequest, signal: AbortSignal) => AsyncIterable<DrawEvent>;
  /** Since it was loaded. */
  draftCounts?: () => DraftCounts;
  promptCache?: () => PromptCacheCounts;
  /** From now on, earlier prompts may take at most this much memory; the excess is free when this resolves. */
  limitPromptCache?: (bytes: number, signal: AbortSignal) => Promise<PromptCacheCounts>;
  /** Current memory of helper processes, and of files in memory. */
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

/** The text parts of a message, one per line. */
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
  /** Arguments must match the schema exactly; otherwise the model decides what cannot be enforced. */
  isStrict?: boolean;
};
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** What an answer must be: any JSON object, a document of this schema, or what this GBNF grammar allows. */
export type AnswerFormat =
  { type: 'json' } | { type: 'schema'; schema: JsonSchema } | { type: 'grammar'; grammar: string };

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type Reasoning = {
  effort: (typeof REASONING_EFFORTS)[number];
  /** Reasoning ends after this many tokens; derived from the effort if absent. */
  maxTokens?: number;
};

/** What a prompt is made of. */
export type ChatPrompt = {
  messages: readonly ChatMessage[];
  /** The last message is the start of the answer, which continues it. */
  continues?: true;
  /** Additional variables for the chat template. */
  templateArguments?: Readonly<Record<string, unknown>>;
  /** Instead of messages: a text to continue, or one to fill in before its suffix. */
  raw?: { text: string | readonly number[]; suffix?: string };
  tools?: readonly ToolDefinition[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  format?: AnswerFormat;
  reasoning?: Reasoning;
};

export type ChatRequest = ChatPrompt & {
  /** Nobody is waiting for it: it pauses while another request is being answered. */
  isInBackground?: boolean;
  /** Its pieces are never merged, however slowly they are read. */
  isPieceByPiece?: boolean;
  /** Prefixes are only shared between requests with the same salt, which keeps accounts apart. */
  cacheSalt?: string;
  /** For each choice. Generation also ends at the end of the context. */
  maxTokens: number;
  /** What the client requested, if anything. */
  askedTokens?: number;
  stop: readonly string[];
  sampling: Sampling;
  /** How many answers to generate for the one prompt. */
  choices?: number;
  /** The log probability of each token, and of this many alternatives. */
  logprobs?: { top: number };
  /** Makes tokens more or less likely, from -100 (never) to 100 (always). */
  logitBias?: Readonly<Record<string, number>>;
  /** Sends the rendered prompt with the `prompt` event. */
  showPrompt?: boolean;
};

export type TokenLogprob = { token: string; logprob: number; bytes: readonly number[] };
export type Logprob = TokenLogprob & { top: readonly TokenLogprob[] };

/**
 * `completionTokens` counts all tokens generated so far, in all choices, including those still held back. `choice` is
 * 0 if absent. A tool call is announced first, then its arguments as they arrive; `index` numbers the calls of one
 * choice.
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
      /** How many of its tokens were reasoning, if any. */
      reasoningTokens?: number;
      /** Draft counts of this choice, if drafting was on. */
      drafts?: DraftCounts;
      /** The stop sequence that ended it, if one did and the engine knows which. */
      stopText?: string;
      prompt?: PromptCount;
    };

/** The actual size of a prompt that was only estimated before. */
export type PromptCount = { promptTokens: number; cachedTokens: number };

/**
 * What every task over a list yields: one `prompt` once all items are tokenized and known to fit, then each item when
 * it is done. An abort ends it between two items without throwing.
 */
export type ItemEvent<Result> =
  | { type: 'prompt'; promptTokens: number }
  | { type: 'item'; index: number; promptTokens: number; result: Result };

/** Whether the model's special tokens are added, and whether their names in the text are parsed. */
export type TokenizeRequest = { text: string; addsSpecial: boolean; parsesSpecial: boolean };
/** The bytes of text that the token stands for. */
export type TokenText = { id: number; bytes: readonly number[] };

/** A text, or its tokens from this model's tokenizer. */
export type TokenInput = string | readonly number[];

export type EmbedRequest = {
  inputs: readonly TokenInput[];
  /** Fewer than the model's own: the vector is truncated and normalized again. */
  dimensions?: number;
};

export type RerankRequest = {
  query: string;
  documents: readonly string[];
  /** Longer documents are truncated to this. */
  maxTokensPerDocument?: number;
};

export type ClassifyRequest = { inputs: readonly string[] };
export type LabelScores = Record<string, number>;

export type ClassifyByPromptRequest = {
  cacheSalt?: string;
  inputs: readonly string[];
  /** The prompt, with `{content}` for a text, followed by `{policy}` for a question. */
  prompt: string;
  questions: Readonly<Record<string, string>>;
  answers: { yes: string; no: string };
};

export type TranslateRequest = {
  texts: readonly string[];
  /** Language codes, without regions. */
  source: string;
  target: string;
  /** For all texts together. */
  maxTokens: number;
};
/** `isComplete` is false if the translation did not end within its token limit. */
export type TranslatedText = { text: string; completionTokens: number; isComplete: boolean };

export type DrawRequest = {
  prompt: string;
  /** What the image must not show; only for models whose manifest supports it. */
  negativePrompt?: string;
  /** Size of the image, in pixels; the model generates at the size that it was trained for. */
  width: number;
  height: number;
  /** The model's default if absent. */
  steps?: number;
  seed: number;
  format: PictureFormat;
  /** From 0 to 100, for lossy formats. */
  quality?: number;
  /** How many partial images, with fewer steps, come before the final one. */
  drafts: number;
};
export type PictureFormat = 'png' | 'jpeg' | 'webp';

/** `step` also counts the steps of partial images. */
export type DrawEvent =
  | { type: 'step'; step: number; steps: number }
  | { type: 'draft'; index: number; picture: Uint8Array }
  | { type: 'picture'; picture: Uint8Array };

export type EndReason = 'stop' | 'length' | 'tool_calls' | 'abort';

import type { Sampling } from '../config/sampling.ts';

/** A catalogue entry: a set of files that one engine can load. */
export type ModelManifest = {
  id: string;
  name: string;
  /** For catalogue entries: why it is listed, in one sentence. */
  why?: string;
  engine: EngineName;
  tasks: readonly Task[];
  /** Service models that this artifact can serve. */
  services: readonly string[];
  tier: Tier;
  licence: string;
  /** Present if the licence restricts use: people see it before they download. */
  licenceTerms?: LicenceTerms;
  /** Absolute path of the weights on this machine; empty while they are not installed. */
  path: string;
  /** The other files by role, if one file is not enough. */
  files?: Readonly<Record<string, string>>;
  bytes: number;
  /** A draft model that was bound to this one. */
  draft?: { id: string; path: string; bytes: number };
  /** Where its owner wants its layers. */
  placement?: Placement;
  /** LoRA adapters that are applied to the weights. */
  adapters?: readonly AppliedAdapter[];
  /** Defaults for requests that do not set these values. */
  defaults?: ModelDefaults;
  /** The program whose files are used in place. */
  origin?: Origin;
  /** The longest context, in tokens, that the weights were trained for. */
  contextTokensMax: number;
  /** One plain sentence that people must see before they rely on the model. */
  notice?: string;
  /** For embedding models. */
  embedding?: EmbeddingFacts;
  /** For text-to-speech models. */
  speech?: SpeechFacts;
  /** For moderation models. */
  moderation?: ModerationRules;
  /** For image generation models. */
  drawing?: DrawingFacts;
  /** For models that ship with askd. */
  card?: ModelCard;
  /** What to request from the model hub; absent for shipped and imported models. */
  hub?: readonly HubFile[];
  memory?: MemoryFacts;
  /**
   * Where each fact was verified: a source that was the hub itself starts with "the hub". A fact without a source is
   * an estimate until the hub confirms it.
   */
  verified?: Partial<Record<Fact, string>>;
};

/** Where the layers of a model go. Everything absent is decided at each load. */
export type Placement = {
  /** In order: the first device gets the first layers. */
  devices?: readonly DeviceName[];
  /** How many layers are on the cards; the processor computes the others. */
  gpuLayers?: number;
  /** Out of this many, when it was chosen. */
  layers?: number;
  /** The draft model is computed by the processor even if the model is on a card. */
  draftOn?: 'cpu';
  /** The same for the projector, which reads images. */
  projectorOn?: 'cpu';
};

export const CARD_BACKENDS = ['cuda', 'vulkan', 'metal'] as const;
export type CardBackend = (typeof CARD_BACKENDS)[number];

/** A chosen card: its position among those of its backend, and its name there. */
export type DeviceName = { backend: CardBackend; place: number; name: string };

/** Defaults of a model for requests that do not set them, such as the parameters of a Modelfile. */
export type ModelDefaults = {
  system?: string;
  /** Messages before every conversation. */
  messages?: readonly { role: 'user' | 'assistant' | 'system'; content: string }[];
  sampling?: Partial<Sampling>;
  stop?: readonly string[];
  maxTokens?: number;
  contextTokens?: number;
};

export type AppliedAdapter = { name: string; path: string; scale: number };

export type Origin = {
  /** Its name for people: Ollama. */
  program: string;
  /** The model's name there. */
  name: string;
  /** As they were when the model was adopted. Without a time if the name is the hash of the content. */
  files: readonly { path: string; bytes: number; modifiedMs?: number }[];
  /** Parts of its definition there that have no effect here, and why. */
  unmet: readonly string[];
};

export type EmbeddingFacts = {
  dimensions: number;
  /** Whether vectors can be truncated (Matryoshka training), so that clients may request fewer dimensions. */
  truncatable: boolean;
  /** How token vectors are pooled, if the files do not say so themselves. */
  pooling?: 'mean' | 'cls' | 'last';
};

export type SpeechFacts = {
  /** The voices of the model behind the standard voice names. The model's own names also work. */
  voices: Readonly<Record<string, string>>;
};

export type ModerationRules = {
  /** For a classifier: how each category is computed from its labels. */
  labels?: Readonly<Record<string, LabelRule>>;
  /** For a model that is asked: the prompt, with `{content}` for the text and `{policy}` for the question. */
  prompt?: string;
  /** Questions for categories for which askd's own do not suit this model. */
  policies?: Readonly<Record<string, string>>;
  answers?: { yes: string; no: string };
};

/** The maximum or minimum of some labels' scores. The maximum of no labels is 0: such a category is never flagged. */
export type LabelRule = { greatestOf: readonly string[] } | { leastOf: readonly string[] };

export type DrawingFacts = {
  /**
   * Side of the square, in pixels, that it was trained for. Images are generated with about as many pixels, then
   * scaled.
   */
  side: number;
  /** Default number of steps. */
  steps: number;
  /** Guidance scale; at 1 the model is not guided, which takes half the time. */
  guidance: number;
  /** Guidance scale with a negative prompt; absent if the model does not support negative prompts. */
  negativeGuidance?: number;
};

export type LicenceTerms = { summary: string; url: string };

export type HubFile = {
  /** `model` is the file at `path`; a folder of ONNX files has none. */
  role: string;
  repo: string;
  path: string;
  /** The commit to download; the newest one if absent. */
  revision?: string;
  bytes: number;
  /** Absent if only the hub knows it: the file is then checked against the hub's hash. */
  sha256?: string;
};

export type ModelCard = {
  /** Training data, method and measurements: a few words under each name. */
  facts: Readonly<Record<string, string>>;
  /** The sha256 of each of its files, by the path from `folder`. */
  files: Readonly<Record<string, string>>;
  folder: string;
};

export type MemoryFacts = {
  /** What a context costs besides the weights. */
  kvBytesPerToken: number;
  /** The share of the weights that each token uses, for a mixture of experts. */
  activeShare?: number;
};

export type Fact = 'files' | 'bytes' | 'sha256' | 'licence' | 'context' | 'dimensions' | 'memory';

export type EngineName = 'llama' | 'vision' | 'onnx' | 'flite' | 'diffusion' | 'upstream' | 'script';

/** The engines in this build. An artifact for any other engine can be stored, but not run. */
export const AVAILABLE_ENGINES: readonly EngineName[] = [
  'llama',
  'vision',
  'onnx',
  'flite',
  'upstream',
  'script',
  'diffusion',
];

/** Engines that answer within the daemon, because other servers or a file of scripted answers do the work. */
export function needsRunner({ engine }: Pick<ModelManifest, 'engine'>): boolean {
  return engine !== 'upstream' && engine !== 'script';
}

/** Whether askd tells its engine which cards to compute on. */
export function isPlaceable({ engine }: Pick<ModelManifest, 'engine'>): boolean {
  return engine === 'llama' || engine === 'vision';
}

/** For an upstream model, only its server knows; scripted answers match any message. */
export function readsImages({ engine, files }: Pick<ModelManifest, 'engine' | 'files'>): boolean {
  return !needsRunner({ engine }) || files?.['projector'] !== undefined;
}

/** What an artifact is for. Its session may do it in several ways: see `Session`. */
export type Task = (typeof TASKS)[number];
export const TASKS = [
  'chat',
  'embed',
  'rerank',
  'moderate',
  'translate',
  'transcribe',
  'speak',
  'draw',
] as const;
/** Those of what a pull can choose. */
export const TIERS = ['small', 'standard', 'large'] as const;
export type Tier = 'starter' | (typeof TIERS)[number] | 'imported';

const WITHOUT_CONTEXT: readonly Task[] = ['transcribe', 'speak', 'draw'];

/** Whether a context length is meaningful, which it is not for speech and images. */
export function hasContext({ tasks }: { tasks: readonly Task[] }): boolean {
  return !tasks.every((task) => WITHOUT_CONTEXT.includes(task));
}

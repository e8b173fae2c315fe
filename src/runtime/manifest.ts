import type { Sampling } from '../config/sampling.ts';

/** A catalogue entry: a set of files that one engine can load. */
export type ModelManifest = {
  id: string;
  name: string;
  /** Of the catalogue: what it is listed for, in one sentence. */
  why?: string;
  engine: EngineName;
  tasks: readonly Task[];
  /** Service models that this artifact can serve. */
  services: readonly string[];
  tier: Tier;
  licence: string;
  /** Present when the licence restricts use: people see it before they download. */
  licenceTerms?: LicenceTerms;
  /** Absolute path of the weights on this machine; empty while they are not installed. */
  path: string;
  /** The other files by role, where one file is not enough. */
  files?: Readonly<Record<string, string>>;
  bytes: number;
  /** A draft model that was bound to this one. */
  draft?: { id: string; path: string; bytes: number };
  /** Where its owner wants its layers. */
  placement?: Placement;
  /** LoRA adapters that are applied to the weights. */
  adapters?: readonly AppliedAdapter[];
  /** What applies where a request says nothing. */
  defaults?: ModelDefaults;
  /** The program whose files are used where they are. */
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
   * Where each fact was verified: a source that was the hub itself begins with "the hub". What is missing here is an
   * estimate until the hub confirms it.
   */
  verified?: Partial<Record<Fact, string>>;
};

/** Where the layers of a model go. What is absent is decided at each load. */
export type Placement = {
  /** In their order: the first of them has the first layers. */
  devices?: readonly DeviceName[];
  /** Of the model on the cards; the others are computed by the processor. */
  gpuLayers?: number;
  /** Of so many, when that was chosen. */
  layers?: number;
  /** The draft model, computed by the processor although the model is on a card. */
  draftOn?: 'cpu';
  /** The same of the projector, which reads images. */
  projectorOn?: 'cpu';
};

export const CARD_BACKENDS = ['cuda', 'vulkan', 'metal'] as const;
export type CardBackend = (typeof CARD_BACKENDS)[number];

/** A card that has been chosen: its place among those of its backend, and the name that it had there. */
export type DeviceName = { backend: CardBackend; place: number; name: string };

/** What applies to a model where a request says nothing, such as the parameters of a Modelfile. */
export type ModelDefaults = {
  system?: string;
  /** Turns before every conversation. */
  messages?: readonly { role: 'user' | 'assistant' | 'system'; content: string }[];
  sampling?: Partial<Sampling>;
  stop?: readonly string[];
  maxTokens?: number;
  contextTokens?: number;
};

export type AppliedAdapter = { name: string; path: string; scale: number };

export type Origin = {
  /** As people know it: Ollama. */
  program: string;
  /** The model's name there. */
  name: string;
  /** As they were when the model was adopted. The time is absent where the name is the hash of the content. */
  files: readonly { path: string; bytes: number; modifiedMs?: number }[];
  /** Parts of its definition there without effect here, and why. */
  unmet: readonly string[];
};

export type EmbeddingFacts = {
  dimensions: number;
  /** Whether vectors can be truncated (Matryoshka training), so that clients may ask for fewer dimensions. */
  truncatable: boolean;
  /** How token vectors are pooled, if the files do not say so themselves. */
  pooling?: 'mean' | 'cls' | 'last';
};

export type SpeechFacts = {
  /** The voices of the model behind the standard voice names. The model's own names do as well. */
  voices: Readonly<Record<string, string>>;
};

export type ModerationRules = {
  /** For a classifier: how each category is made of its labels. */
  labels?: Readonly<Record<string, LabelRule>>;
  /** For a model that is asked: the prompt, with `{content}` for the text and `{policy}` for the question. */
  prompt?: string;
  /** Questions for categories where askd's own do not suit this model. */
  policies?: Readonly<Record<string, string>>;
  answers?: { yes: string; no: string };
};

/** The maximum or minimum of some labels' scores. The maximum of none is 0: such a category is never flagged. */
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
  /** Guidance scale with a negative prompt; absent where the model supports none. */
  negativeGuidance?: number;
};

export type LicenceTerms = { summary: string; url: string };

export type HubFile = {
  /** `model` is the file that `path` names; a folder of ONNX files has none. */
  role: string;
  repo: string;
  path: string;
  /** The commit that is downloaded; the newest one where it is absent. */
  revision?: string;
  bytes: number;
  /** Absent where only the hub knows it: it is then checked against what the hub says. */
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
  /** The share of the weights that one token uses, for a mixture of experts. */
  activeShare?: number;
};

export type Fact = 'files' | 'bytes' | 'sha256' | 'licence' | 'context' | 'dimensions' | 'memory';

export type EngineName = 'llama' | 'vision' | 'onnx' | 'flite' | 'diffusion' | 'upstream' | 'script';

/** The engines in this build. An artifact for another one can be stored, but not run. */
export const AVAILABLE_ENGINES: readonly EngineName[] = [
  'llama',
  'vision',
  'onnx',
  'flite',
  'upstream',
  'script',
  'diffusion',
];

/** Engines that answer within the daemon: other servers do the work, or a file of scripted answers has it. */
export function needsRunner({ engine }: Pick<ModelManifest, 'engine'>): boolean {
  return engine !== 'upstream' && engine !== 'script';
}

/** Whether askd tells its engine on which cards it computes. */
export function isPlaceable({ engine }: Pick<ModelManifest, 'engine'>): boolean {
  return engine === 'llama' || engine === 'vision';
}

/** Of an upstream model, only its server knows; scripted answers go to any message. */
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

/** Whether a context length means anything: not for speech and images. */
export function hasContext({ tasks }: { tasks: readonly Task[] }): boolean {
  return !tasks.every((task) => WITHOUT_CONTEXT.includes(task));
}

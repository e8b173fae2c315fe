/** What the catalogue says about one artifact: a set of files that one engine can load. */
export type ModelManifest = {
  id: string;
  name: string;
  engine: EngineName;
  tasks: readonly Task[];
  /** Service models that this artifact is able to serve. */
  services: readonly string[];
  tier: Tier;
  licence: string;
  /** Present when the licence restricts what one may do with the model: people see it before they download. */
  licenceTerms?: LicenceTerms;
  /** Absolute path of the weights on this machine; empty while they are not here. */
  path: string;
  /** The other files by their role, where one file is not enough. */
  files?: Readonly<Record<string, string>>;
  bytes: number;
  /** A smaller model that guesses for this one; somebody bound it. */
  draft?: { id: string; path: string; bytes: number };
  /** Longest context, in tokens, that the weights were made for. */
  contextTokensMax: number;
  /** One plain sentence that people must see before they rely on the model. */
  notice?: string;
  /** Of a model that makes vectors. */
  embedding?: EmbeddingFacts;
  /** Of a model that speaks. */
  speech?: SpeechFacts;
  /** Of a model that judges texts. */
  moderation?: ModerationRules;
  /** Of a model that draws. */
  drawing?: DrawingFacts;
  /** Of a model that ships with askd. */
  card?: ModelCard;
  /** What the model hub has to be asked for; absent for what ships with askd or was imported. */
  hub?: readonly HubFile[];
  memory?: MemoryFacts;
  /** Where each fact was seen. What is missing here is an estimate until the hub has confirmed it. */
  verified?: Partial<Record<Fact, string>>;
};

export type EmbeddingFacts = {
  dimensions: number;
  /** Whether the beginning of a vector is a vector too (Matryoshka training), so that clients may ask for fewer dimensions. */
  truncatable: boolean;
  /** How the vectors of the tokens become one, where the files do not say so themselves. */
  pooling?: 'mean' | 'cls' | 'last';
};

export type SpeechFacts = {
  /** The voices of the model behind the standard voice names. The model's own names do as well. */
  voices: Readonly<Record<string, string>>;
};

export type ModerationRules = {
  /** Of a classifier: what each category of the contract is made of. */
  labels?: Readonly<Record<string, LabelRule>>;
  /** Of a model that is asked: the message, with `{content}` for the text and `{policy}` for what is asked about it. */
  prompt?: string;
  /** What is asked, for categories where askd's own words do not suit this model. */
  policies?: Readonly<Record<string, string>>;
  answers?: { yes: string; no: string };
};

/** The greatest or the least of some labels' scores. The greatest of none is 0: such a category never fires. */
export type LabelRule = { greatestOf: readonly string[] } | { leastOf: readonly string[] };

export type DrawingFacts = {
  /** Pixels on a side of the square that it was trained for. Pictures are drawn with about as many pixels, then scaled. */
  side: number;
  /** What is enough when nobody asks for more. */
  steps: number;
  /** How strongly the prompt leads; 1 is a model that is led without comparing, in half the time. */
  guidance: number;
  /** The same when a negative prompt leads too; absent where the model cannot be led away from anything. */
  negativeGuidance?: number;
};

export type LicenceTerms = { summary: string; url: string };

export type HubFile = {
  /** `model` is the file that `path` means; a folder of ONNX files has none. */
  role: string;
  repo: string;
  path: string;
  bytes: number;
  /** Absent where only the hub knows it: it is then checked against what the hub says. */
  sha256?: string;
};

export type ModelCard = {
  /** What it was made of, how, and what was measured: a few words under each name. */
  facts: Readonly<Record<string, string>>;
  /** The sha256 of each of its files, by the path from `folder`. */
  files: Readonly<Record<string, string>>;
  folder: string;
};

/** What a context costs beside the weights. */
export type MemoryFacts = { kvBytesPerToken: number };

export type Fact = 'files' | 'bytes' | 'sha256' | 'licence' | 'context' | 'dimensions' | 'memory';

export type EngineName = 'llama' | 'vision' | 'onnx' | 'diffusion' | 'upstream';

/** The engines that this askd has. An artifact of another one can be kept, but not run. */
export const AVAILABLE_ENGINES: readonly EngineName[] = ['llama', 'vision', 'onnx', 'upstream', 'diffusion'];

/** What an artifact is for. Its session may do it in several ways: see `Session`. */
export type Task = 'chat' | 'embed' | 'rerank' | 'moderate' | 'translate' | 'transcribe' | 'speak' | 'draw';
export type Tier = 'starter' | 'small' | 'standard' | 'large' | 'imported';

const WITHOUT_CONTEXT: readonly Task[] = ['transcribe', 'speak', 'draw'];

/** Whether it matters to anybody how many tokens fit: not with what only hears, speaks or draws. */
export function hasContext({ tasks }: { tasks: readonly Task[] }): boolean {
  return !tasks.every((task) => WITHOUT_CONTEXT.includes(task));
}

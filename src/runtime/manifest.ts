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
  /** Absolute path of the weights on this machine. */
  path: string;
  bytes: number;
  /** Longest context, in tokens, that the weights were made for. */
  contextTokensMax: number;
  /** One plain sentence that people must see before they rely on the model. */
  notice?: string;
  /** Of a model that makes vectors. */
  embedding?: EmbeddingFacts;
};

export type EmbeddingFacts = {
  dimensions: number;
  /** Whether the beginning of a vector is a vector too (Matryoshka training), so that clients may ask for fewer dimensions. */
  truncatable: boolean;
};

export type EngineName = 'llama';
/** What an artifact is for. Its session may do it in several ways: see `Session`. */
export type Task = 'chat' | 'embed' | 'rerank' | 'moderate' | 'translate';
export type Tier = 'starter' | 'small' | 'standard' | 'large' | 'imported';

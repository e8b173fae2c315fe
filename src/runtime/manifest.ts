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
};

export type EngineName = 'llama';
export type Task = 'chat';
export type Tier = 'starter' | 'small' | 'standard' | 'large' | 'imported';

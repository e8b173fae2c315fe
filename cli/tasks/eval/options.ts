export type EvalOptions = {
  model?: string[];
  samples?: number;
  seed?: number;
  filter?: string;
  judge?: string;
  embed?: string;
  concurrency?: number;
  maxCost?: number;
  atLeast: number;
  save?: string;
  compare?: string;
  junit?: string;
  schema?: boolean;
};

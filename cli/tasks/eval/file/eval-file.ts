import type { ChatCompletionRequest, ChatMessage } from '../../../../src/api/chat/chat.ts';
import type { Check } from '../checks/check.ts';

/** A file of cases as it is run: every row of a table is a separate case, and no variables are left. */
export type EvalFile = {
  path: string;
  /** Empty if the file names none. */
  models: readonly string[];
  /** The judge for checks that name none. */
  judge: string | undefined;
  /** The embedding model that compares meanings. */
  embed: string | undefined;
  cases: readonly EvalCase[];
};

export type EvalCase = {
  name: string;
  messages: readonly ChatMessage[];
  /** Paths of images and documents that go with the user's last message. */
  images: readonly string[];
  files: readonly string[];
  /** Parameters, tools and the format of the answer. */
  request: Partial<ChatCompletionRequest>;
  samples: number;
  checks: readonly Check[];
};

/** A file as it is written, once it is valid. */
export type WrittenFile = WrittenDefaults & { cases: WrittenCase[] };

export type WrittenDefaults = Shared & {
  models?: string[];
  judge?: string;
  embed?: string;
};

type Shared = {
  system?: string;
  options?: Partial<ChatCompletionRequest>;
  tools?: ChatCompletionRequest['tools'];
  response_format?: ChatCompletionRequest['response_format'];
  samples?: number;
  variables?: Variables;
};

export type Variables = Record<string, unknown>;
export type Scalar = string | number | boolean;

export type WrittenCase = Shared & {
  name?: Scalar;
  prompt?: Scalar;
  messages?: ChatMessage[];
  images?: string[];
  files?: string[];
  with?: Variables[];
  expect: WrittenCheck[];
};

export type WrittenCheck = {
  exact?: Scalar | Scalar[];
  contains?: Scalar | Scalar[];
  not_contains?: Scalar | Scalar[];
  regex?: string;
  ignore_case?: boolean;
  json_schema?: object | boolean;
  tool_call?: { name: string; arguments?: Record<string, unknown> };
  similar?: { to: Scalar | Scalar[]; at_least?: number };
  judge?: { rubric: string; model?: string; at_least?: number };
};

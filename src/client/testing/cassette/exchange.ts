import type { Rules } from './rules.ts';

/** Files are represented by their hash, so that a recording stays small. */
export type FormValue = string | { file: string; sha256: string; bytes: number };

/** What a request is compared by; it has one of the four kinds of body, or none. */
export type RecordedRequest = {
  method: string;
  path: string;
  query?: Record<string, string[]>;
  headers?: Record<string, string>;
  body?: unknown;
  form?: Record<string, FormValue[]>;
  text?: string;
  base64?: string;
};

export type Chunk = readonly [ms: number, content: string];

export type RecordedResponse = {
  status: number;
  headers: Record<string, string>;
  /** Time until the headers of a stream, or until the end of any other body. */
  ms: number;
  body?: unknown;
  text?: string;
  base64?: string;
  /** The chunks of a stream, each with its time since the request. */
  chunks?: readonly Chunk[];
  encoding?: 'base64';
  /** The connection broke, or the client disconnected. */
  cut?: true;
};

export type Exchange = { request: RecordedRequest; response: RecordedResponse };

export type Cassette = Rules & { exchanges: readonly Exchange[] };

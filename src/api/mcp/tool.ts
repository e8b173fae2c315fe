import type { CallToolResult, Tool as ToolDescription } from '@modelcontextprotocol/server';
import type { Access } from '../endpoint.ts';
import type { TSchema } from '../schema.ts';
import type { Http } from '../http/http.ts';

/** One thing that askd can do, for the model of an MCP client. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** As of the endpoint behind it: clients are only shown what their key may do. */
  access: Access;
  annotations: NonNullable<ToolDescription['annotations']>;
  input: (place: Place) => TSchema;
  run: (input: ToolInput, call: ToolCall) => Promise<CallToolResult>;
};

/** Arguments as the client sent them. The endpoint validates what reaches it. */
export type ToolInput = Record<string, unknown>;

/** Where the server runs. */
export type Place = {
  /**
   * Keeps bytes as a file while the work runs. Absent where the server runs as a program of the user, who can name
   * files; behind HTTP, whoever has a key must not.
   */
  withUpload?: <Result>(bytes: Buffer, work: (path: string) => Promise<Result>) => Promise<Result>;
};

export type ToolCall = Place & {
  http: Http;
  signal: AbortSignal;
  progress: (state: Progress) => void;
};

export type Progress = { done: number; total?: number; message?: string };

/** A model may have to load before the first byte. */
export const SLOW = { silenceMsMax: 15 * 60_000 };

export const LOOKS_ONLY = { readOnlyHint: true, openWorldHint: false } as const;

export function textResult(text: string, structured?: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], ...(structured && { structuredContent: structured }) };
}

/** Some of the properties of an endpoint's body, with what a tool says of its own. */
export function inputOf(
  body: TSchema,
  names: readonly string[],
  own: Record<string, object> = {},
  required: readonly string[] = requiredOf(body).filter((name) => names.includes(name)),
): TSchema {
  const { properties = {} } = body as { properties?: Record<string, object> };
  const picked = names.map((name) => [name, { ...properties[name], ...own[name] }] as const);
  return {
    type: 'object',
    properties: { ...own, ...Object.fromEntries(picked) },
    required,
    additionalProperties: false,
  };
}

function requiredOf(body: TSchema): readonly string[] {
  return (body as { required?: readonly string[] }).required ?? [];
}

import type { CallToolResult, Tool as ToolDescription } from '@modelcontextprotocol/server';
import type { Access } from '../endpoint.ts';
import type { TSchema } from '../schema.ts';
import type { Http } from '../http/http.ts';

/** One capability of askd, for the model of an MCP client. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** The access of the endpoint behind it: clients only see the tools that their key may use. */
  access: Access;
  annotations: NonNullable<ToolDescription['annotations']>;
  input: (place: Place) => TSchema;
  run: (input: ToolInput, call: ToolCall) => Promise<CallToolResult>;
};

/** Arguments as the client sent them. The endpoint validates those that reach it. */
export type ToolInput = Record<string, unknown>;

/** Where the server runs. */
export type Place = {
  /**
   * Stores bytes as a file while the work runs. Absent if the server runs as a program of the user, who can name
   * files. Behind HTTP, a key must not give access to files.
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

/** Some properties of an endpoint's body, with the tool's own descriptions. */
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

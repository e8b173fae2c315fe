import { COSTLY_SCHEMAS } from './costly-schemas.ts';
import type { Format, Send, World } from './format.ts';
import { mutateJson } from './mutate-json.ts';

/** Schemas that would block a model for seconds or hours if nothing limited their cost. */
export const SCHEMAS: readonly Format[] = [
  {
    name: 'schema',
    seeds: async () => Object.values(COSTLY_SCHEMAS).map((schema) => Buffer.from(JSON.stringify(schema))),
    mutate: mutateJson,
    open,
  },
];

async function open({ daemon }: World): Promise<Send> {
  return (file) => daemon.call('/v1/chat/completions', schemaRequest(file.toString()));
}

/** A mutated schema may not be JSON, so the request is built as text. */
export function schemaRequest(schema: string): string {
  const format = `{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":${schema}}}`;
  const messages = '[{"role":"user","content":"hi"}]';
  return `{"model":"svc-chat-v1","max_tokens":8,"messages":${messages},"response_format":${format}}`;
}

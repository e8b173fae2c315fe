import { Type, type Static } from '../schema.ts';

const Source = Type.Object(
  {
    type: Type.Enum(['base64', 'url', 'text', 'content', 'file']),
    media_type: Type.Optional(Type.String()),
    data: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
    file_id: Type.Optional(Type.String()),
    content: Type.Optional(
      Type.Union([
        Type.String(),
        Type.Array(
          Type.Object(
            {
              type: Type.Enum(['text', 'image']),
              text: Type.Optional(Type.String()),
              source: Type.Optional(
                Type.Object(
                  {
                    type: Type.Enum(['base64', 'url', 'file']),
                    media_type: Type.Optional(Type.String()),
                    data: Type.Optional(Type.String()),
                    url: Type.Optional(Type.String()),
                    file_id: Type.Optional(Type.String()),
                  },
                  { additionalProperties: false },
                ),
              ),
            },
            { additionalProperties: false },
          ),
        ),
      ]),
    ),
  },
  { additionalProperties: false },
);
export type BlockSource = Static<typeof Source>;

/** What text, image, document and search result blocks have in common. */
const Shown = {
  text: Type.Optional(Type.String()),
  source: Type.Optional(Type.Union([Source, Type.String({ description: 'The title of a search result.' })])),
  title: Type.Optional(Type.String()),
  context: Type.Optional(Type.String()),
  citations: Type.Optional(Type.Unknown()),
};

/** Part of a result: results of a provider's own tools are passed to the model as they are. */
const ResultPart = Type.Object({ type: Type.String(), ...Shown }, { additionalProperties: true });
export type ResultPart = Static<typeof ResultPart>;

/** Tools that ran at a provider, in a conversation that started there. */
export const PROVIDER_CALLS = ['server_tool_use', 'mcp_tool_use'];
export const PROVIDER_RESULTS = [
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_result',
  'advisor_tool_result',
];

/** Rules for particular kinds of blocks are checked separately: one flat schema gives errors that name one field. */
export const Block = Type.Object(
  {
    type: Type.Enum([
      ...['text', 'image', 'document', 'search_result', 'thinking', 'redacted_thinking'],
      ...['tool_use', 'tool_result', 'tool_addition', 'tool_removal', 'tool_reference'],
      ...['compaction', 'fallback', 'container_upload', 'mcp_tool_listing'],
      ...PROVIDER_CALLS,
      ...PROVIDER_RESULTS,
    ]),
    ...Shown,
    id: Type.Optional(Type.String({ minLength: 1 })),
    name: Type.Optional(Type.String({ minLength: 1 })),
    input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    tool_use_id: Type.Optional(Type.String({ minLength: 1 })),
    tool_name: Type.Optional(Type.String()),
    server_name: Type.Optional(Type.String()),
    content: Type.Optional(
      Type.Union([
        Type.String(),
        Type.Array(ResultPart),
        Type.Object({ type: Type.Optional(Type.String()) }, { additionalProperties: true }),
      ]),
    ),
    is_error: Type.Optional(Type.Boolean()),
    thinking: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
    tool: Type.Optional(
      Type.Object(
        {
          type: Type.String(),
          name: Type.Optional(Type.String()),
          server_name: Type.Optional(Type.String()),
          definition: Type.Optional(Type.Unknown()),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type MessageBlock = Static<typeof Block>;

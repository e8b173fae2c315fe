import { endpoint } from '../endpoint.ts';
import { Type } from '../schema.ts';

export const SESSION_HEADER = 'mcp-session-id';

const Message = Type.Unknown({
  $id: 'McpMessage',
  type: ['object', 'array'],
  description: 'A JSON-RPC message of the Model Context Protocol, or several.',
});

/** Messages in and out, as one JSON document or as events. Its tools are requests with their own limits. */
export const postMcp = endpoint({
  method: 'POST',
  path: '/mcp',
  summary: 'Use askd as an MCP server: a message of the Model Context Protocol over streamable HTTP',
  tag: 'MCP',
  access: 'chat',
  isRelay: true,
  body: Message,
  response: Message,
  event: Message,
});

export const endMcpSession = endpoint({
  method: 'DELETE',
  path: '/mcp',
  summary: 'End a session of the Model Context Protocol',
  tag: 'MCP',
  access: 'chat',
  isRelay: true,
  response: Message,
  event: Message,
});

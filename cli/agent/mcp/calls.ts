import {
  addMcpServer,
  allowMcpTools,
  callMcpTool,
  getMcpServer,
  inspectMcpServer,
  listMcpServers,
  removeMcpServer,
  type McpAllowance,
  type McpServerRequest,
  type McpToolCall,
} from '../../../src/api/management/mcp-servers.ts';
import type { Http } from '../../../src/api/http/http.ts';

/** A server may have to start, and a package be downloaded for it. */
const PATIENT = { silenceMsMax: 150_000 };

/** The client's methods for MCP servers. */
export function mcpCalls({ call }: Http) {
  return {
    list: () => call(listMcpServers),
    add: (body: McpServerRequest) => call(addMcpServer, { body, ...PATIENT }),
    show: (name: string) => call(getMcpServer, { params: { name } }),
    test: (name: string) => call(inspectMcpServer, { params: { name }, ...PATIENT }),
    allow: (name: string, body: McpAllowance) => call(allowMcpTools, { params: { name }, body, ...PATIENT }),
    call: (name: string, body: McpToolCall, signal: AbortSignal) =>
      call(callMcpTool, { params: { name }, body, signal, ...PATIENT }),
    remove: (name: string) => call(removeMcpServer, { params: { name }, ...PATIENT }),
  };
}

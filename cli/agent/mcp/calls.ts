import {
  addMcpServer,
  allowMcpTools,
  beginMcpLogin,
  callMcpTool,
  endMcpLogin,
  finishMcpLogin,
  getMcpServer,
  inspectMcpServer,
  listMcpServers,
  removeMcpServer,
  type McpAllowance,
  type McpLogin,
  type McpLoginAnswer,
  type McpServerRequest,
  type McpToolCall,
} from '../../../src/api/management/mcp-servers.ts';
import type { Http } from '../../../src/api/http/http.ts';

/** A server may have to start, and its package may have to be downloaded. */
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
    beginLogin: (name: string, body: McpLogin) => call(beginMcpLogin, { params: { name }, body, ...PATIENT }),
    finishLogin: (name: string, body: McpLoginAnswer) =>
      call(finishMcpLogin, { params: { name }, body, ...PATIENT }),
    endLogin: (name: string) => call(endMcpLogin, { params: { name }, ...PATIENT }),
    remove: (name: string) => call(removeMcpServer, { params: { name }, ...PATIENT }),
  };
}

import type { ReportStep } from '../loop/report-step.ts';
import type { CallOf } from './calls.ts';
import type { ToolOutcome } from './result-text.ts';
import type { OfferedTool } from './servers.ts';
import { freeToolName } from './tool-names.ts';

/** A tool of an MCP server that a run may use: one that the owner lets run without asking. */
export type RunTool = {
  /** The name that the model uses. */
  name: string;
  server: string;
  tool: string;
  description: string;
  schema: { readonly [keyword: string]: unknown };
};

/** What a run needs from the owner's MCP servers. */
export type McpForRuns = {
  check: (server: string, keyId: string | null) => void;
  offeredTo: (server: string, keyId: string | null) => Promise<OfferedTool[]>;
  call: (
    call: { server: string; tool: string; input: Record<string, unknown>; by: CallOf },
    signal: AbortSignal,
  ) => Promise<ToolOutcome>;
};

type Opening = {
  servers: readonly string[];
  keyId: string | null;
  mcp: McpForRuns;
  report: ReportStep;
};

/** A run has nobody to ask, so tools that require approval are left out and named. */
export async function openRunTools(
  { servers, keyId, mcp, report }: Opening,
  signal: AbortSignal,
): Promise<RunTool[]> {
  const tools: RunTool[] = [];
  for (const server of new Set(servers)) {
    signal.throwIfAborted();
    const offered = await mcp.offeredTo(server, keyId);
    for (const { tool } of offered.filter(({ state }) => state === 'free')) {
      const name = freeToolName(server, tool.name, (one) => tools.some((each) => each.name === one));
      const schema = tool.inputSchema as RunTool['schema'];
      tools.push({ name, server, tool: tool.name, description: tool.description ?? '', schema });
    }
    const asking = offered.filter(({ state }) => state === 'ask').map(({ tool }) => tool.name);
    const names = tools.filter((each) => each.server === server).map(({ tool }) => tool);
    const left = asking.length > 0 ? `; left out, because they require approval: ${asking.join(', ')}` : '';
    report.step(`Tools of ${server}: ${names.join(', ') || 'none'}${left}`, { phase: 'plan' });
  }
  return tools;
}

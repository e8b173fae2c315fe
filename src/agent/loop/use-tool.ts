import { Failure, type FailureCode } from '../../base/errors.ts';
import type { McpForRuns, RunTool } from '../mcp/run-tools.ts';
import type { Model } from '../model.ts';
import { argumentsPrompt } from '../prompts.ts';
import type { EmbedderContext } from '../reading/embedder.ts';
import type { Reading } from '../reading/extract-facts.ts';
import { rankByWords } from '../reading/rank.ts';
import { cutPassages } from '../tools/extract/passages.ts';
import type { Tools } from './allowed-actions.ts';
import type { Budget } from './budget.ts';
import type { Notebook } from './notebook.ts';
import type { ReportStep, ToolResult } from './report-step.ts';

const ARGUMENT_TOKENS = 300;
const PASSAGES_READ = 8;
const TEXT_READ_MAX = 60_000;
/** With any of these keywords in a schema from elsewhere, the model cannot be held to it. */
const UNUSABLE: readonly FailureCode[] = ['unsupported_schema', 'schema_too_costly'];

type Using = {
  question: string;
  toolbox: { mcp: McpForRuns };
  tools: Tools;
  notebook: Notebook;
  budget: Budget;
  model: Model;
  report: ReportStep;
  embedding: Pick<EmbedderContext, 'requestId' | 'accountId' | 'keyId'>;
  failures: string[];
  onFallback: () => void;
  signal: AbortSignal;
  extract: (readings: readonly Reading[]) => Promise<number>;
};

/**
 * Tool results are untrusted text: only the extraction of facts reads them, and it cannot call anything. Decisions
 * see only facts with quotes.
 */
export async function runTool(using: Using, wanted: { tool: string; aim: string }): Promise<number> {
  const { tools, notebook, report, budget, signal, question, extract } = using;
  const tool = tools.mcp.find(({ name }) => name === wanted.tool);
  if (!tool) return 0;
  const input = await argumentsFor(using, tool, wanted.aim);
  if (!input) return 0;
  const shown = `${tool.server}: ${tool.tool} ${JSON.stringify(input)}`;
  if (notebook.wasTried('tool', shown)) return 0;
  notebook.try('tool', shown);
  budget.spent.toolCalls += 1;
  const [text] = await report.tools(
    [{ name: 'mcp', detail: shown, work: () => call(using, tool, input) }],
    signal,
  );
  return text === undefined ? 0 : extract(readingsOf(tool, text, `${question} ${wanted.aim}`));
}

/** A tool whose schema cannot be enforced is not offered again. */
async function argumentsFor(
  { model, question, notebook, tools, failures, onFallback, signal }: Using,
  tool: RunTool,
  aim: string,
): Promise<Record<string, unknown> | undefined> {
  const messages = argumentsPrompt({ question, tool, aim, facts: notebook.facts });
  const asked = { messages, schema: tool.schema, maxTokens: ARGUMENT_TOKENS, isForeign: true as const };
  try {
    const input = await model.ask<Record<string, unknown>>(asked, signal);
    if (input === undefined) onFallback();
    return input;
  } catch (error) {
    if (!(error instanceof Failure) || !UNUSABLE.includes(error.code)) throw error;
    tools.mcp = tools.mcp.filter((each) => each !== tool);
    failures.push(`${tool.name}: its schema cannot be used`);
    return undefined;
  }
}

async function call(
  { toolbox, embedding, tools, failures, signal }: Using,
  tool: RunTool,
  input: Record<string, unknown>,
): Promise<ToolResult<string | undefined>> {
  const { requestId, accountId, keyId } = embedding;
  try {
    const by = { requestId, accountId, keyId };
    const { text, isError } = await toolbox.mcp.call(
      { server: tool.server, tool: tool.tool, input, by },
      signal,
    );
    if (isError) return { status: 'error', detail: text, value: undefined };
    return { status: text.trim() === '' ? 'empty' : 'ok', detail: `${text.length} characters`, value: text };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    tools.mcp = tools.mcp.filter((each) => each !== tool);
    failures.push(`${tool.name}: it failed`);
    return { status: 'error', detail: error.message, value: undefined };
  }
}

function readingsOf({ server, tool }: RunTool, text: string, query: string): Reading[] {
  const passages = cutPassages(text.slice(0, TEXT_READ_MAX));
  const ranked = rankByWords(
    query,
    passages.map((each) => each.text),
  ).map(({ index }) => index);
  const order = ranked.length > 0 ? ranked : passages.map((_, index) => index);
  const title = `${server}: ${tool}`;
  const source = { kind: 'tool' as const, url: `mcp:${server}/${encodeURIComponent(tool)}`, title };
  return order.slice(0, PASSAGES_READ).flatMap((index) => {
    const passage = passages[index];
    return passage ? [{ title, heading: passage.heading, text: passage.text, source }] : [];
  });
}

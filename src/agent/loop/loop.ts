import { randomBytes } from 'node:crypto';
import { anySignal } from '../../base/any-signal.ts';
import { Failure } from '../../base/errors.ts';
import { act, readCandidates, searchDocs, searchWeb, type Acting, type Toolbox } from './act.ts';
import { createBudget, gatheringMs } from './budget.ts';
import { decide } from './decide.ts';
import type { Embedder } from '../reading/embedder.ts';
import { allowedActions, onlyAnswer, type Tools } from './allowed-actions.ts';
import { openRunTools, type RunTool } from '../mcp/run-tools.ts';
import type { Model } from '../model.ts';
import { createNotebook, isSameQuery } from './notebook.ts';
import { chatPrompt, MARK_BYTES, queriesPrompt, standalonePrompt } from '../prompts.ts';
import { queriesSchema, standaloneSchema } from '../schemas.ts';
import type { ReportStep } from './report-step.ts';
import type { AgentUsage, Fact, Result, Stopped, Task, Turn } from '../types.ts';
import { urlsIn } from '../reading/urls.ts';
import type { Cited } from '../answer/citations.ts';
import { writeAnswer } from '../answer/write-answer.ts';

export type Looping = {
  task: Task;
  history: readonly Turn[];
  toolbox: Toolbox;
  /** What the settings allow. */
  reach: { search: boolean; fetch: boolean };
  embedder: Embedder;
  embedding: Acting['embedding'];
  model: Model;
  report: ReportStep;
  usage: AgentUsage;
  deadlineMs: number;
  onToken: (text: string) => void;
  onFact: (fact: Fact) => void;
  signal: AbortSignal;
};

const QUERY_TOKENS = 140;
const STALLED_AFTER = 2;
const FALLBACKS_SHOWN = 0.3;

/** Gathers facts in cycles of one decision and its tools, then writes the answer from them. */
export async function runLoop(looping: Looping): Promise<Result> {
  const { task, report, model, usage, signal, deadlineMs } = looping;
  const startedAt = performance.now();
  const gathering = anySignal(signal, AbortSignal.timeout(Math.max(1, gatheringMs(deadlineMs))));
  report.step(`Preparing ${task.model}`, { phase: 'plan' });
  const { contextTokens } = await model.count(chatPrompt(task.query, []), signal);
  if (task.mode === 'chat') return chat(looping, contextTokens);
  const question = await asStandalone(looping);
  const mcp = await openRunTools(
    {
      servers: task.sources.mcp ?? [],
      keyId: looping.embedding.keyId,
      mcp: looping.toolbox.mcp,
      report,
    },
    gathering,
  );
  const acting = prepare(looping, { question, contextTokens, mcp, signal: gathering });
  const stopped = await gather(looping, acting).catch((error: unknown) => {
    // The time for gathering is over, but not the time for answering.
    if (gathering.aborted && !signal.aborted) return 'deadline' as const;
    throw error;
  });
  usage.wall_ms = Math.round(performance.now() - startedAt);
  return conclude(looping, acting, stopped);
}

function prepare(
  { task, toolbox, reach, embedder, embedding, model, report, usage, onFact }: Looping,
  rest: { question: string; contextTokens: number; mcp: readonly RunTool[]; signal: AbortSignal },
): Acting {
  const { question, contextTokens, mcp, signal } = rest;
  const isWebWanted = task.sources.web ?? true;
  const tools: Tools = {
    search: isWebWanted && reach.search && task.mode !== 'chat',
    fetch: isWebWanted && reach.fetch,
    docs: task.seesCollections && !toolbox.docs.isEmpty(),
    searchesWithoutNews: 0,
    docsWithoutNews: 0,
    mcp,
  };
  const notebook = createNotebook({ onFact });
  if (tools.fetch) {
    for (const url of [...(task.sources.urls ?? []), ...urlsIn(task.query)]) {
      notebook.addCandidate({ url, title: url, snippet: '', isAskedFor: true });
    }
  }
  return {
    task,
    question,
    toolbox,
    tools,
    notebook,
    budget: createBudget({ contextTokens, usage, limits: task.budget }),
    usage,
    model,
    report,
    vectors: async (texts, signalNow) => {
      if (!embedder.isLoaded()) return undefined;
      try {
        return await embedder.embed(texts, { ...embedding, client: signalNow });
      } catch (error) {
        signalNow.throwIfAborted();
        if (!(error instanceof Failure)) throw error;
        report.step(`Choosing passages by keywords only: ${error.message}`, { phase: 'read' });
      }
    },
    embedding,
    programs: [],
    failures: [],
    mark: randomBytes(MARK_BYTES).toString('hex'),
    onFallback: () => {
      usage.fallbacks += 1;
    },
    signal,
  };
}

async function gather(looping: Looping, acting: Acting): Promise<Stopped> {
  const { task, usage, report } = looping;
  const { notebook, budget, tools, signal } = acting;
  let withoutNews = 0;
  const spareQueries: string[] = [];
  reportReach(acting);
  for (let cycle = 1; cycle <= task.maxCycles; cycle++) {
    signal.throwIfAborted();
    if (!budget.hasTokens()) return 'token_budget';
    const allowed = allowedActions(task.mode, { notebook, budget, tools });
    if (onlyAnswer(allowed)) return 'answered';
    usage.cycles = cycle;
    if (cycle === 1 && task.mode === 'research') {
      withoutNews = (await begin(acting, spareQueries)) > 0 ? 0 : 1;
      continue;
    }
    const decision = await decide({
      ...acting,
      mode: task.mode,
      allowed,
      spareQueries,
      cycle,
      maxCycles: task.maxCycles,
    });
    if (decision.action === 'answer') {
      report.step(decision.thought || 'Writing the answer', { cycle, phase: 'think' });
      return 'answered';
    }
    report.step(decision.thought || `Next: ${decision.action}`, { cycle, phase: 'think' });
    withoutNews = (await act(acting, decision)) > 0 ? 0 : withoutNews + 1;
    if (withoutNews >= STALLED_AFTER) return 'stalled';
  }
  return 'cycle_limit';
}

/** The first search is not left to the model: small models answer from memory if they can. */
async function begin(acting: Acting, spareQueries: string[]): Promise<number> {
  const { notebook, question, model, tools, report, signal, usage } = acting;
  const requested = notebook.candidates.filter(({ isAskedFor }) => isAskedFor);
  if (requested.length > 0) {
    report.step(`Reading ${requested.length === 1 ? 'the page' : 'the pages'} named in the question`, {
      cycle: 1,
      phase: 'read',
    });
    return readCandidates(acting, requested);
  }
  const wanted = { messages: queriesPrompt(question), schema: queriesSchema, maxTokens: QUERY_TOKENS };
  const thought = await model.ask<{ queries: string[] }>(wanted, signal);
  if (thought === undefined) usage.fallbacks += 1;
  const queries = different(thought?.queries ?? [question]);
  spareQueries.push(...queries, question);
  report.step(`Searching: ${queries.join(' · ')}`, { cycle: 1, phase: 'search' });
  let news = 0;
  if (tools.docs) news += await searchDocs(acting, [...new Set([...queries.slice(0, 2), question])]);
  if (tools.search) news += await searchWeb(acting, queries);
  return news;
}

/** Drops near-duplicates: small models tend to say the same thing three times. */
function different(queries: readonly string[]): string[] {
  return queries.filter((query, at) => queries.slice(0, at).every((earlier) => !isSameQuery(earlier, query)));
}

/** Reports where the answer can come from, before anything else happens. */
function reportReach({ tools, report, toolbox, notebook, task }: Acting): void {
  if (tools.search || notebook.candidates.length > 0 || tools.mcp.length > 0) return;
  const names = toolbox.docs.list().map(({ name }) => name);
  const chosen = task.sources.docs?.length ? task.sources.docs : names;
  const where = tools.docs
    ? `using local documents only (${chosen.join(', ')})`
    : task.seesCollections
      ? 'and there are no local documents: askd docs add FOLDER'
      : 'and this key cannot search local documents';
  const why = task.sources.web === false ? 'Web access is off for this run' : 'No web search is configured';
  report.step(`${why}: ${where}`.replace(': and', ', and'), { phase: 'plan' });
}

async function asStandalone({ task, history, model, report, usage, signal }: Looping): Promise<string> {
  if (history.length === 0) return task.query;
  const wanted = {
    messages: standalonePrompt(task.query, history),
    schema: standaloneSchema,
    maxTokens: QUERY_TOKENS,
  };
  const understood = await model.ask<{ question: string }>(wanted, signal);
  if (understood === undefined) usage.fallbacks += 1;
  else report.step(`Understood as: ${understood.question}`, { phase: 'plan' });
  return understood?.question ?? task.query;
}

async function conclude(looping: Looping, acting: Acting, stopped: Stopped): Promise<Result> {
  const { task, report, usage, model, onToken, signal } = looping;
  const { notebook, budget, programs, question, onFallback } = acting;
  if (usage.fallbacks > 0 && usage.fallbacks / Math.max(1, usage.model_calls) > FALLBACKS_SHOWN) {
    report.step('The model has trouble choosing tools: try a larger one', { phase: 'think' });
  }
  const trouble = model.trouble();
  if (notebook.facts.length === 0 && trouble) throw trouble;
  const isFree = task.mode === 'coding';
  if (notebook.facts.length === 0 && !isFree) return abstain(acting);
  report.step('Writing the answer', { phase: 'write' });
  const facts = notebook.facts;
  const written = await writeAnswer({
    model,
    question,
    facts,
    program: programs.at(-1),
    room: budget.room,
    onToken,
    onFallback,
    signal,
  });
  if (!written.isFound) return abstain(acting, written);
  const { answer, citations, sources } = written;
  return { answer, citations, sources, stopped };
}

/** Nothing was found, so the answer only shows the closest matches and where it searched. */
function abstain({ notebook, failures }: Acting, closest?: Cited): Result {
  const tried = notebook.tried.map(({ tool, text }) => `- ${tool}: ${text.replace(/[[\]]/g, '')}`);
  const lines = [
    'I could not find this in the available sources.',
    ...(closest?.answer
      ? ['', 'Closest matches:', ...closest.answer.split('\n').map((each) => `- ${each}`)]
      : []),
    ...(tried.length > 0 ? ['', 'Tried:', ...tried] : []),
    ...(failures.length > 0 ? ['', 'What did not work:', ...failures.map((each) => `- ${each}`)] : []),
  ];
  return {
    answer: lines.join('\n'),
    citations: closest?.citations ?? [],
    sources: closest?.sources ?? [],
    stopped: 'no_sources',
  };
}

async function chat(
  { task, history, model, report, usage, onToken, signal }: Looping,
  contextTokens: number,
): Promise<Result> {
  const { room } = createBudget({ contextTokens, usage, limits: task.budget });
  const kept = [...history];
  while (
    kept.length > 0 &&
    (await model.count(chatPrompt(task.query, kept), signal)).promptTokens + room.answer > contextTokens
  ) {
    kept.splice(0, 2);
  }
  report.step('Writing the answer', { phase: 'write' });
  usage.cycles = 1;
  let answer = '';
  for await (const piece of model.write(
    { messages: chatPrompt(task.query, kept), maxTokens: room.answer },
    signal,
  )) {
    answer += piece;
    onToken(piece);
  }
  const trouble = model.trouble();
  if (answer.trim() === '' && trouble) throw trouble;
  return { answer: answer.trim(), citations: [], sources: [], stopped: 'answered' };
}

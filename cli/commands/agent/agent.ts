import type { AgentRunRequest } from '../../../src/api/tasks/agent.ts';
import { AGENT_CYCLES_MAX } from '../../../src/api/account/limits.ts';
import { parseDuration } from '../../../src/base/units.ts';
import { Failure } from '../../../src/base/errors.ts';
import { questionsOf } from '../../agent/questions.ts';
import { collect, integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';

type AgentOptions = {
  mode: 'chat' | 'research' | 'coding';
  maxCycles?: number;
  session?: string;
  model?: string;
  docs?: string[];
  url?: string[];
  mcp?: string[];
  web: boolean;
  timeout?: string;
  jsonl?: true;
  report?: string;
  watch?: string;
  runs?: true;
  file?: string;
  parallel: number;
};

const PARALLEL = 3;
const PARALLEL_MAX = 16;

export const agent = command<AgentOptions>({
  name: 'agent',
  group: 'Chat:',
  summary: 'answer a question by searching, reading and citing',
  details:
    'Searches your local documents (askd docs add), and the web if a search provider is configured. Progress ' +
    'goes to stderr, the answer and its sources go to stdout. Ctrl-C stops the run.',
  examples: [
    'askd docs add ~/notes && askd agent "When was the harbour bridge opened?"',
    'askd agent "What changed in version 3?" --url https://example.com/changes',
    'askd agent "How many primes are there below 5000?" --mode coding',
    'askd agent "And who designed it?" --session ses_01JAB',
    'askd agent "Which of my notes mention the harbour?" --mcp files',
    'askd agent "How do I renew the licence?" --docs manuals --report licence.html',
    'askd agent "Which deadlines come next?" --watch ~/notes --report deadlines.md',
    'askd agent --runs "When was the bridge opened?" "Who designed it?"',
    'askd agent --file questions.txt --json > answers.jsonl',
    'askd agent list',
  ],
  configure(commander) {
    commander
      .argument('[question...]', 'the question; - reads it from stdin')
      .option('--mode <mode>', 'research, coding or chat', asMode, 'research')
      .option('--max-cycles <count>', 'maximum number of cycles', integerBetween(1, AGENT_CYCLES_MAX))
      .option('-c, --session <id>', 'continue an earlier conversation')
      .option('-m, --model <id>', 'the model (default: svc-chat-v1)')
      .option('--docs <collection>', 'search only this collection; repeatable', collect)
      .option('--url <address>', 'a page to read first; repeatable', collect)
      .option('--mcp <server>', 'use the tools of this MCP server that need no approval; repeatable', collect)
      .option('--no-web', 'do not use the web, even if it is configured')
      .option('--timeout <duration>', 'time limit, such as 90s')
      .option('--report <file>', 'write the answer with its sources and steps to this .md or .html file')
      .option('--watch <folder>', 'ask again when files of this folder change, until Ctrl-C')
      .option('--runs', 'treat each argument as a question and answer them side by side')
      .option('--file <file>', 'like --runs, with one question per line of this file; - for stdin')
      .option('--parallel <count>', 'how many to answer at a time', integerBetween(1, PARALLEL_MAX), PARALLEL)
      .option('--jsonl', 'print every event as a line of JSON');
  },
  async run(context, { args, options }) {
    const requests = questionsOf(args, options).map((question) => requestOf(question, options));
    const isSeveral = options.runs === true || options.file !== undefined;
    const [{ watchRun }, { printNotice }, { reportTo }] = await Promise.all([
      import('../../agent/watch.ts'),
      import('../../output/notice.ts'),
      import('../../agent/report.ts'),
    ]);
    if (isSeveral) refuseTogether('several questions', options);
    const write = options.report === undefined ? undefined : reportTo(options.report, context.output);
    if (options.watch !== undefined) await refuseWatch(options, context);
    const client = await context.connect('inference');
    await printNotice(context, client, options.model ?? 'svc-chat-v1');
    if (isSeveral) {
      const { runSideBySide } = await import('../../agent/side-by-side.ts');
      return runSideBySide(context, client, { requests, parallel: options.parallel });
    }
    const request = requests[0] as AgentRunRequest;
    if (options.watch !== undefined) {
      const { askAgain } = await import('../../agent/watching/ask-again.ts');
      const owner = await context.connect();
      return askAgain(context, { folder: options.watch, request, owner, client, report: write });
    }
    const onDone = write && (async (run: string) => write(await client.agent.find(run)));
    return watchRun(context, (wanted) => client.agent.run({ ...request, ...wanted }), {
      question: request.query,
      jsonl: options.jsonl ?? false,
      onDone,
    });
  },
});

function asMode(text: string): AgentOptions['mode'] {
  if (text === 'chat' || text === 'research' || text === 'coding') return text;
  throw new Failure('invalid_value', `--mode must be research, coding or chat, not "${text}".`);
}

/** Options that have no meaning with it. */
function refuseTogether(what: string, options: AgentOptions): void {
  const isSeveral = what !== '--watch';
  const given = [
    options.jsonl && '--jsonl',
    options.session !== undefined && '--session',
    isSeveral && options.report !== undefined && '--report',
    isSeveral && options.watch !== undefined && '--watch',
  ].find((each) => typeof each === 'string');
  if (given !== undefined) throw new Failure('invalid_value', `${given} cannot be used with ${what}.`);
}

async function refuseWatch(options: AgentOptions, context: Context): Promise<void> {
  refuseTogether('--watch', options);
  const { isElsewhere } = await import('../../client/own-daemon.ts');
  if (isElsewhere(context))
    throw new Failure(
      'unsupported_parameter',
      '--watch reads a folder of this machine, and asks its own daemon only.',
    );
}

function requestOf(query: string, options: AgentOptions): AgentRunRequest {
  const { mode, maxCycles, session, model, docs, url: urls, mcp, web, timeout } = options;
  const ms = timeout === undefined ? undefined : parseDuration(timeout);
  if (timeout !== undefined && (ms === undefined || ms < 1000)) {
    throw new Failure(
      'invalid_value',
      `--timeout must be a duration of at least 1s, such as 90s or 5m, not "${timeout}".`,
    );
  }
  return {
    query,
    mode,
    ...(maxCycles !== undefined && { maxCycles }),
    ...(session !== undefined && { sessionId: session }),
    ...(model !== undefined && { model }),
    sources: { ...(docs && { docs }), ...(urls && { urls }), ...(mcp && { mcp }), ...(!web && { web }) },
    ...(ms !== undefined && { budget: { ms } }),
  };
}

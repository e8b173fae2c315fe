import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { percentile, reportLines, type Figure } from './accounts/report.ts';
import { startAskd } from './overhead/askd.ts';
import { openStream } from './overhead/chat-client.ts';

/** How soon, and how fast, the chat model that ships with askd answers. */
const run = promisify(execFile);

/** From dist/scripts/bench, where this file runs. */
const ASKD = fileURLToPath(new URL('../../../bin/askd.js', import.meta.url));
const QUESTIONS = [
  'How do I create an API key?',
  'how do I add a webhook?',
  'What is your name?',
  'How do I see my balance?',
];

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = options.quick ? 3 : 9;
const began = loadavg()[0] ?? 0;
const figures = [await coldAnswer(), ...(await warmAnswers())];
console.log(reportLines(figures).join('\n'));
console.log(`${availableParallelism()} cores, load ${began.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`);

/** One command in an empty home: it starts the daemon, which loads the model, and prints the whole answer. */
async function coldAnswer(): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const home = await mkdtemp(path.join(tmpdir(), 'askd-bench-'));
    const env = { ...process.env, ASKD_HOME: home, ASKD_PORT: '0', ASKD_OFFLINE: 'true' };
    try {
      const from = performance.now();
      const chat = run(process.execPath, [ASKD, 'chat', '--quiet', QUESTIONS[0] ?? ''], { env });
      // Piped input would become part of the question.
      chat.child.stdin?.end();
      await chat;
      times.push(performance.now() - from);
    } finally {
      await run(process.execPath, [ASKD, 'down'], { env });
      await rm(home, { recursive: true, force: true });
    }
  }
  return {
    label: `askd chat in an empty home, to the end of the answer, median of ${rounds}`,
    unit: 's',
    value: percentile(times, 0.5) / 1000,
    goal: { atMost: 3 },
  };
}

async function warmAnswers(): Promise<Figure[]> {
  await using askd = await startAskd({ ASKD_OFFLINE: 'true', ASKD_STARTER: 'on' });
  const agent = new Agent({ keepAlive: true });
  const [rates, firsts]: [number[], number[]] = [[], []];
  // The first of all loads the model.
  for (let asked = -1; asked < rounds * QUESTIONS.length; asked++) {
    const content = QUESTIONS[Math.max(0, asked) % QUESTIONS.length] ?? '';
    const { firstMs, tokensPerSecond } = await answer(content);
    if (asked < 0) continue;
    rates.push(tokensPerSecond);
    firsts.push(firstMs);
  }
  agent.destroy();
  return [
    {
      label: 'tokens a second of one stream, median',
      unit: '/s',
      value: percentile(rates, 0.5),
      goal: { atLeast: 200 },
    },
    { label: 'first words of a loaded model, median', unit: 'ms', value: percentile(firsts, 0.5) },
  ];

  async function answer(content: string) {
    const from = performance.now();
    const [at, counts]: [number[], number[]] = [[], []];
    const stream = openStream({
      ...askd,
      agent,
      model: 'svc-chat-v1',
      messages: [{ role: 'user', content }],
      maxTokens: 256,
      temperature: 0,
      signal: AbortSignal.timeout(60_000),
    });
    for await (const chunk of stream) {
      if (chunk.choices?.[0]?.delta?.content) at.push(performance.now());
      if (chunk.usage) counts.push(chunk.usage.completion_tokens);
    }
    const [first = Number.NaN] = at;
    const seconds = ((at.at(-1) ?? Number.NaN) - first) / 1000;
    return { firstMs: first - from, tokensPerSecond: ((counts.at(-1) ?? Number.NaN) - 1) / seconds };
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { runAgent, type AgentResult } from '../../../src/api/tasks/agent.ts';
import { writeSyntheticModel } from '../../../src/gguf/synthetic-model.ts';
import type { Figure } from '../accounts/report.ts';
import type { Askd } from '../overhead/askd.ts';
import { startEngine } from '../overhead/in-process.ts';
import { CONTEXT_TOKENS } from '../overhead/sides.ts';
import { word } from './documents.ts';
import { openGuidedModel } from './guided-model.ts';

const CYCLES = 4;
const SHARE_MAX = 0.15;
const MODEL = 'guided';

/**
 * The time that a run of four cycles takes besides its model: checking decisions, finding passages, writing rows,
 * charging calls.
 */
export async function* measureRuns(askd: Askd, collection: string, runs: number): AsyncGenerator<Figure> {
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-run-'));
  try {
    const file = path.join(folder, 'synthetic.gguf');
    await writeSyntheticModel(file);
    await using engine = await startEngine(file, availableParallelism());
    await using model = await openGuidedModel(engine);
    const context = ['--context', String(CONTEXT_TOKENS)];
    await askd.run('upstream', 'add', MODEL, '--url', model.url, '--model', MODEL, ...context);
    for (let number = 1; number <= runs; number++) {
      const before = { ...model.taken };
      const from = performance.now();
      const { usage } = await run(askd, collection, number);
      const wallMs = performance.now() - from;
      if (usage.cycles !== CYCLES) throw new Error(`The run had ${usage.cycles} cycles, not ${CYCLES}`);
      const modelMs = model.taken.ms - before.ms;
      const calls = model.taken.calls - before.calls;
      const tokens = [model.taken.promptTokens - before.promptTokens, usage.completion_tokens];
      const name = `run ${number} of ${CYCLES} cycles`;
      const inside = `${calls} calls, ${tokens.join(' tokens read, ')} written`;
      yield { label: `${name}: all of it (${inside})`, unit: 's', value: wallMs / 1000 };
      yield {
        label: `${name}: share that is not the model's`,
        unit: 'x',
        value: (wallMs - modelMs) / wallMs,
        goal: { atMost: SHARE_MAX },
      };
      yield { label: `${name}: the same for each cycle`, unit: 'ms', value: (wallMs - modelMs) / CYCLES };
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run({ baseUrl, key }: Askd, collection: string, number: number): Promise<AgentResult> {
  const query = `What is known of ${word(number * 11)} and ${word(number * 17)}?`;
  const sources = { web: false, docs: [collection] };
  const body = { query, model: MODEL, maxCycles: CYCLES, sources, budget: { ms: 600_000 } };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = new URL(runAgent.path, baseUrl);
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The run failed: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as AgentResult;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { llama } from '../../models/engines/llama.ts';
import type { AnswerFormat, ChatRequest, Session } from '../../src/runtime/engine.ts';
import { bundledTemplates, bundledVocabulary } from '../fixtures/llama-files.ts';
import { writeVocabularyModel } from '../fixtures/vocabulary-model.ts';
import { manifestOf } from './overhead/manifest.ts';
import { percentile, reportLines, type Figure } from './accounts/report.ts';

/** The cost of a grammar per token, by the size of the vocabulary. The weights are tiny, so little else is timed. */
const MODELS = [
  { vocabulary: 'gemma-4', template: 'google-gemma-4-31B-it' },
  { vocabulary: 'llama-bpe', template: 'meta-llama-Llama-3.1-8B-Instruct' },
  { vocabulary: 'phi-3', template: 'microsoft-Phi-3.5-mini-instruct' },
];
const CONTEXT_TOKENS = 4096;
const ROUNDS = 9;
const TOKENS = 300;
const MORE_MS_MAX = 1;
const WORDS = ['a', 'the', 'is', 'of', 'and', 'to', 'in', 'it', 'on', 'as', 'at', 'by', 'we', 'or'];
const UNWANTED = 'Nothing that a model of random weights would say by itself. '.repeat(40);

/** Likelihoods are changed in the same way with and without a grammar, so the pairs differ only in the grammar. */
const CASES = [
  {
    label: 'JSON, words that the model wants',
    format: { type: 'schema', schema: { type: 'string' } },
    goal: { atMost: MORE_MS_MAX },
  },
  {
    label: 'GBNF, words that the model wants',
    format: { type: 'grammar', grammar: 'root ::= [a-z] ([a-z] | " ")*' },
    goal: { atMost: MORE_MS_MAX },
  },
  {
    label: 'GBNF, another word than it wants each time',
    format: { type: 'grammar', grammar: `root ::= ${JSON.stringify(UNWANTED)}` },
  },
] as const;

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-grammar-'));
try {
  const figures: Figure[] = [];
  for (const model of MODELS) figures.push(...(await measure(model)));
  console.log([`load of the machine: ${(loadavg()[0] ?? 0).toFixed(1)}`, ...reportLines(figures)].join('\n'));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure({ vocabulary, template }: (typeof MODELS)[number]): Promise<Figure[]> {
  const file = path.join(folder, `${vocabulary}.gguf`);
  const chatTemplate = bundledTemplates().get(template) ?? '';
  const { tokenCount } = await writeVocabularyModel(file, {
    vocabulary: bundledVocabulary(vocabulary),
    chatTemplate,
  });
  const manifest = await manifestOf(file, 'chat', CONTEXT_TOKENS);
  await using session = await llama.load(
    manifest,
    { slots: 1, contextTokens: CONTEXT_TOKENS, threads: 1 },
    new AbortController().signal,
  );
  const wanted = await likelyWords(session);
  const more: number[][] = CASES.map(() => []);
  const alone: number[] = [];
  // The first use of a grammar reads the vocabulary once.
  await msPerToken(session, wanted, CASES[0].format);
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`${vocabulary}: round ${round + 1} of ${ROUNDS}\n`);
    for (const [place, { format }] of CASES.entries()) {
      const without = await msPerToken(session, wanted);
      const bound = await msPerToken(session, wanted, format);
      alone.push(without);
      more[place]?.push(bound - without);
    }
  }
  const prefix = `${tokenCount.toLocaleString('en')} tokens: `;
  return [
    { label: `${prefix}a token without a grammar`, unit: 'ms', value: percentile(alone, 0.5) },
    ...CASES.map((one, place): Figure => ({
      label: `${prefix}more, ${one.label}`,
      unit: 'ms',
      value: percentile(more[place] ?? [], 0.5),
      ...('goal' in one && { goal: one.goal }),
    })),
  ];
}

async function likelyWords(session: Session): Promise<Record<string, number>> {
  const bias: Record<string, number> = {};
  for (const word of WORDS) {
    const request = { text: `x ${word}`, addsSpecial: false, parsesSpecial: false };
    const tokens = (await session.tokenize?.(request, new AbortController().signal)) ?? [];
    const last = tokens.at(-1);
    if (last) bias[last.id] = 100;
  }
  return bias;
}

async function msPerToken(
  session: Session,
  logitBias: Record<string, number>,
  format?: AnswerFormat,
): Promise<number> {
  const request: ChatRequest = {
    messages: [{ role: 'user', content: 'Hello' }],
    ...{ maxTokens: TOKENS, stop: [], logitBias },
    sampling: { temperature: 1, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed: 5 },
    ...(format && { format }),
  };
  let startedAt = 0;
  let tokens = 0;
  for await (const event of session.chat?.(request, new AbortController().signal) ?? []) {
    if (event.type === 'prompt') startedAt = performance.now();
    if (event.type === 'end') tokens = event.completionTokens;
  }
  return (performance.now() - startedAt) / tokens;
}

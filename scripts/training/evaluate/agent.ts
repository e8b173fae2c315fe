import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDice } from '../chat/dice.ts';
import { quest } from '../chat/skills/agent.ts';
import { filler, someTruths } from '../chat/world.ts';
import type { Api } from './api.ts';
import { share, type Row } from './table.ts';

const QUESTIONS = 12;
const SEED = 31;

/** Questions of one and of two steps over a folder of documents, through the whole agent and with no network. */
export async function evaluateAgent(api: Api, addDocs: (folder: string) => Promise<unknown>): Promise<Row[]> {
  if (!(await api.isReady('svc-chat-v1'))) return [];
  const making = { dice: createDice(SEED), isHeld: true };
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-agent-'));
  const rows: Row[] = [];
  try {
    const hops = [false, true].map((isTwoStep) =>
      making.dice.list(QUESTIONS, () => quest(making, isTwoStep)),
    );
    const quests = hops.flat();
    for (const [index, { steps }] of quests.entries()) {
      for (const [step, { sentence }] of steps.entries()) {
        const beside = someTruths(making, 2).map((truth) => truth.sentence);
        const text = [filler(making), sentence, ...beside].join(' ');
        await writeFile(path.join(folder, `note-${index}-${step}.md`), `${text}\n`);
      }
    }
    await addDocs(folder);
    for (const [place, asked] of hops.entries()) {
      const right: boolean[] = [];
      for (const { question, steps } of asked) {
        const { answer } = await api.agent(question);
        right.push(answer.includes(steps.at(-1)?.value ?? ''));
      }
      rows.push({
        model: 'chat',
        skill: place === 0 ? 'agent over documents, one step' : 'agent over documents, two steps',
        measure: 'right',
        count: asked.length,
        score: share(right, (isRight) => isRight),
        baseline: 0,
        baselineName: 'most frequent answer',
      });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

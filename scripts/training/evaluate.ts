import { parseArgs } from 'node:util';
import { startAskd } from '../bench/overhead/askd.ts';
import { evaluateAgent } from './evaluate/agent.ts';
import { createApi, type Api } from './evaluate/api.ts';
import { evaluateChat } from './evaluate/chat.ts';
import { writeToCards } from './evaluate/cards.ts';
import { evaluateHelp } from './evaluate/help.ts';
import { readLines, type Line } from './evaluate/lines.ts';
import { evaluateModeration } from './evaluate/moderation.ts';
import { evaluateRerank } from './evaluate/rerank.ts';
import { evaluateRetrieval } from './evaluate/retrieval.ts';
import { tableOf, type Row } from './evaluate/table.ts';

/**
 * Measures how good the models that ship with askd are, through the HTTP API, compared with baselines that need no
 * model.
 */
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** The chat models, by their names in the table. */
    skill: { type: 'string' },
  },
});
const EVALUATIONS = {
  chat: async (each: Api, read: readonly Line[]) => [
    ...(await evaluateHelp(each, read, options.skill)),
    ...(await evaluateChat(each, 'chat', options.skill)),
  ],
  words: (each: Api) => evaluateChat(each, 'words', options.skill),
  agent: (each: Api) => evaluateAgent(each, (folder) => askd.run('docs', 'add', folder)),
  retrieval: evaluateRetrieval,
  rerank: evaluateRerank,
  moderation: evaluateModeration,
};

await using askd = await startAskd({ ASKD_OFFLINE: 'true', ASKD_STARTER: 'on' });
const api = createApi(askd);
const lines = await readLines();
const rows: Row[] = [];
for (const [name, evaluate] of Object.entries(EVALUATIONS)) {
  if (options.only !== undefined && options.only !== name) continue;
  rows.push(...(await evaluate(api, lines)));
}
if (options.write) await writeToCards(rows);
console.log(options.json ? JSON.stringify(rows, null, 2) : tableOf(rows));

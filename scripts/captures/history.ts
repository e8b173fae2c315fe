import path from 'node:path';
import { openStore } from '../../src/store/store.ts';

const DAYS = 30;
/** How much of a day's requests goes to which model, and what one of them has in tokens. */
const MODELS = [
  { model: 'svc-chat-v1', task: 'chat', requests: 260, prompt: 900, completion: 320, costN: 240_000 },
  { model: 'svc-embed-v1', task: 'embed', requests: 420, prompt: 260, completion: 0, costN: 26_000 },
  {
    model: 'svc-translate-v1',
    task: 'translate',
    requests: 70,
    prompt: 410,
    completion: 430,
    costN: 160_000,
  },
  { model: 'svc-moderation-v1', task: 'moderate', requests: 300, prompt: 120, completion: 0, costN: 6_000 },
];

/** A month of requests behind the pictures, quieter at weekends. */
export function writeHistory(home: string, accountId: string, keyId: string): void {
  const store = openStore(path.join(home, 'askd.db'));
  const today = Math.floor(Date.now() / 86_400_000);
  const insert = store.prepare(INSERT);
  store.transaction(() => {
    for (let day = today - DAYS; day < today; day++) {
      for (const [index, { requests, ...one }] of MODELS.entries()) {
        const count = Math.round(requests * shareOf(day, index));
        for (let number = 0; number < count; number++) {
          const at = day * 86_400_000 + 6 * 3_600_000 + Math.floor((number / count) * 14 * 3_600_000);
          insert.run({ ...one, id: `req_picture_${day}_${index}_${number}`, accountId, keyId, at });
        }
      }
    }
  });
  store.close();
}

function shareOf(day: number, index: number): number {
  const isWeekend = [0, 6].includes(new Date(day * 86_400_000).getUTCDay());
  const wave = 1 + 0.35 * Math.sin(day * 1.7 + index * 2.1) + 0.2 * Math.sin(day * 0.6 + index);
  return isWeekend ? 0.35 * wave : wave;
}

const INSERT = `
  INSERT INTO usage(id, account_id, key_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens,
    outcome, started_at, duration_ms, cost_n)
  VALUES(@id, @accountId, @keyId, @task, @model, 'picture', @prompt, 0, @completion, 'finished', @at, 900, @costN)`;

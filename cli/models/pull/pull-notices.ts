import type { Pull } from '../../../src/api/management/library.ts';
import type { Client } from '../../client/client.ts';
import { formatBytes } from '../../output/format.ts';
import { etaOf, percentOf, rateOf } from './progress-text.ts';

export type PullNotices = ReturnType<typeof createPullNotices>;

/** What a running chat says about downloads between two messages: the progress of each, and once its outcome. */
export function createPullNotices(client: Pick<Client, 'pulls'>) {
  let states: Map<string, Pull['state']> | undefined;
  const shown = new Map<string, number>();
  let isAvailable = true;

  async function changed(): Promise<{ ended: Pull[]; open: Pull[] }> {
    const { pulls } = await client.pulls();
    const before = states;
    states = new Map(pulls.map(({ id, state }) => [id, state]));
    // Downloads that ended before the chat started are not news.
    const ended = pulls.filter(({ id, state }) => before && before.get(id) !== state && isEnded(state));
    return { ended, open: pulls.filter(({ state }) => state === 'downloading') };
  }

  function progress(pull: Pull): string[] {
    const percent = percentOf(pull.bytes_received, pull.bytes_total);
    if (shown.get(pull.id) === percent) return [];
    shown.set(pull.id, percent);
    return [progressText(pull, percent)];
  }

  return {
    /** Lines to show before the next prompt. */
    async next(model: string): Promise<string[]> {
      if (!isAvailable) return [];
      try {
        const { ended, open } = await changed();
        return [...ended.map((pull) => endText(pull, model)), ...open.flatMap(progress)];
      } catch {
        // Another server, or a key that may not see downloads: this will not change while the chat runs.
        isAvailable = false;
        return [];
      }
    },
  };
}

const isEnded = (state: Pull['state']) => state === 'done' || state === 'failed';

function progressText(pull: Pull, percent: number): string {
  const amount = `${percent}% of ${formatBytes(pull.bytes_total)}`;
  return `Downloading ${pull.name}: ${[amount, rateOf(pull), etaOf(pull)].filter(Boolean).join(', ')}`;
}

function endText({ state, name, model, artifact, service, error }: Pull, current: string): string {
  if (state === 'failed')
    return `The download of ${name} failed: ${error?.message ?? 'the reason is in askd logs.'} To try again: askd pull ${model}`;
  if (service === current || artifact === current) return `${name} is ready and answers from now on.`;
  if (service !== null && service !== 'svc-chat-v1') return `${name} is ready: it serves ${service}.`;
  return `${name} is ready. To use it: /model ${service ?? artifact}`;
}

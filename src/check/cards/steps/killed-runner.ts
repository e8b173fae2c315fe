import { Failure } from '../../../base/errors.ts';
import type { Runner } from '../../../runtime/runner.ts';
import { userSays } from '../../cases/answers.ts';
import { failed, passed } from '../../step.ts';
import type { CardStep } from '../card-step.ts';
import { givenBack, tookBytes } from '../memory.ts';

const NAME = 'killed runner';
const ENDLESS_TOKENS = 900;

/** A runner that is killed while it answers fails its request, and its memory on the card is freed. */
export const killedRunner: CardStep = {
  name: NAME,
  async *run({ card, start, synthetic, freeBytes }, signal) {
    const before = await freeBytes();
    await using runner = await start(synthetic, { slots: 1, contextTokens: 1024, cards: [card] }, signal);
    const taken = tookBytes(before, await freeBytes());
    const code = await killWhileItAnswers(runner, signal);
    if (code !== 'runner_crashed') {
      yield { ...failed(`its request ended with ${code}, not with runner_crashed`), name: NAME };
      return;
    }
    const memory = await givenBack({ before, taken, freeBytes }, signal);
    const finding = memory.isBack ? passed : failed;
    yield { ...finding(`its request fails with runner_crashed${memory.text}`), name: NAME };
  },
};

async function killWhileItAnswers(runner: Runner, signal: AbortSignal): Promise<string> {
  const sampling = { temperature: 0, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
  const request = { ...userSays('Never stop.'), stop: [], sampling, maxTokens: ENDLESS_TOKENS };
  let isKilled = false;
  try {
    for await (const event of runner.chat?.(request, signal) ?? []) {
      if (event.type !== 'text' || isKilled) continue;
      isKilled = process.kill(runner.pid, 'SIGKILL');
    }
    return 'an answer';
  } catch (error) {
    signal.throwIfAborted();
    await runner.exited;
    if (!isKilled) return 'a crash of its own';
    return error instanceof Failure ? error.code : String(error);
  }
}

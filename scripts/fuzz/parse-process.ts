import { mkdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { toFailure } from '../../src/base/errors.ts';
import { ExtractError } from '../../src/agent/tools/extract.ts';
import type { FromParser, ToParser } from './parse-messages.ts';
import { PARSERS, type Stage } from './parsers.ts';
import { caseOf, formatOf } from './cases.ts';

/** Parses one case after another, and reports before each step where it is, since it may not live to report more. */
process.on('message', (message) => void run(message as ToParser));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function run({ name, seed, from, end, step, folder }: ToParser): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const format = formatOf(name);
  const seeds = await format.seeds();
  const stages = (await PARSERS[name]?.(folder)) ?? [];
  for (let index = from; index < end; index += step) {
    const file = caseOf({ format, seed, index, seeds });
    await send({
      type: 'done',
      index,
      ...(await parse(stages, file, index)),
      bytes: process.memoryUsage.rss(),
    });
  }
  await send({ type: 'over' });
  process.disconnect();
}

async function parse(stages: readonly Stage[], file: Buffer, index: number) {
  for (const { parse: parseHere, isRunner = false, msMax } of stages) {
    await send({ type: 'begins', index, isRunner, msMax });
    try {
      await parseHere(file);
    } catch (error) {
      return refusalOf(error);
    }
  }
  return { outcome: 'answered' as const };
}

function refusalOf(error: unknown) {
  const isRefusal = error instanceof ExtractError || toFailure(error).code !== 'internal_error';
  if (isRefusal) return { outcome: 'refused' as const };
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { outcome: 'failed' as const, what };
}

/** Messages not yet sent when native code blocks or ends the process would never arrive. */
async function send(message: FromParser): Promise<void> {
  await new Promise((resolve) => process.send?.(message, resolve));
  await setImmediate();
}

import { lookup } from 'node:dns/promises';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export type Resolve = (host: string) => Promise<string[]>;

const WAIT_MS_MAX = 5_000;
const LOOKUPS_MAX = 2;

/**
 * The system's own name lookup. It blocks one of the few worker threads of the process while a name server is silent.
 * So lookups of the same name are shared, few run at once, and slow names have a queue of their own.
 */
export function createResolve(ask: Resolve = askSystem): Resolve {
  const running = new Map<string, Promise<string[]>>();
  const slowNames = new Set<string>();
  const lines = { quick: createLine(LOOKUPS_MAX), slow: createLine(1) };

  function start(host: string): Promise<string[]> {
    const line = slowNames.has(host) ? lines.slow : lines.quick;
    const lookingUp = line(async () => {
      const startedAt = performance.now();
      try {
        return await ask(host);
      } finally {
        running.delete(host);
        if (performance.now() - startedAt > WAIT_MS_MAX) slowNames.add(host);
        else slowNames.delete(host);
      }
    });
    lookingUp.catch(() => undefined);
    running.set(host, lookingUp);
    return lookingUp;
  }

  return (host) => orUnavailable(running.get(host) ?? start(host));
}

async function askSystem(host: string): Promise<string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}

async function orUnavailable(lookingUp: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = new OutboundError('dns_unavailable', 'the name server does not answer');
    timer = setTimeout(reject, WAIT_MS_MAX, error);
  });
  try {
    return await Promise.race([lookingUp, tooLate]);
  } catch (error) {
    throw toOutboundError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** A first-in, first-out queue with this many tasks at once. */
function createLine(width: number) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (busy >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
}

import type { RequestUsage } from '../../../../../../src/api/account/request-usage.ts';
import { infer } from '../../../data/playground-key.ts';
import { chargeOf } from './charge.ts';
import { useRemembered } from './use-remembered.ts';

export type Run<Answer> = {
  state: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  /** For a stream, what has arrived so far. */
  answer?: Answer;
  error?: Error;
  servedBy?: string;
  /** What each of its requests used and cost, once that is recorded. */
  usages?: readonly RequestUsage[];
  /** For an answer in several parts: until the first of them. */
  firstMs?: number;
  seconds?: number;
};

export type Tools<Answer> = {
  signal: AbortSignal;
  send: (path: string, body: object | FormData) => Promise<Response>;
  show: (change: (answer: Answer | undefined) => Answer) => void;
};

const IDLE: Run<never> = { state: 'idle' };
const running = new Map<string, AbortController>();

/** One request of a service at a time: a new one stops the previous one. */
export function useRun<Answer>(service: string) {
  const [run, change] = useRemembered<Run<Answer>>(`${service} run`, IDLE);

  async function start(work: (tools: Tools<Answer>) => Promise<void>): Promise<void> {
    running.get(service)?.abort();
    const controller = new AbortController();
    running.set(service, controller);
    const began = performance.now();
    const requestIds: string[] = [];
    let firstMs: number | undefined;
    let parts = 0;
    const isLatest = () => running.get(service) === controller;
    const patch = (next: (before: Run<Answer>) => Run<Answer>) => isLatest() && change(next);
    patch(() => ({ state: 'running' }));

    async function send(path: string, body: object | FormData): Promise<Response> {
      const response = await infer(path, body, controller.signal);
      const requestId = response.headers.get('x-request-id');
      if (requestId !== null) requestIds.push(requestId);
      patch((before) => withOrigin(before, response));
      return response;
    }
    function show(next: (answer: Answer | undefined) => Answer): void {
      firstMs ??= performance.now() - began;
      const isStreamed = parts++ > 0;
      patch((before) => ({ ...before, ...(isStreamed && { firstMs }), answer: next(before.answer) }));
    }

    const end = await work({ signal: controller.signal, send, show }).then(
      () => ({ state: 'done' }) as const,
      (error: Error) =>
        controller.signal.aborted ? ({ state: 'stopped' } as const) : ({ state: 'failed', error } as const),
    );
    const seconds = (performance.now() - began) / 1000;
    patch((before) => ({ ...before, ...end, seconds }));
    const usages = await Promise.all(requestIds.map(chargeOf));
    patch((before) => ({ ...before, usages: usages.filter((usage) => usage !== undefined) }));
  }

  return { run, start, stop: () => running.get(service)?.abort() };
}

function withOrigin<Answer>(run: Run<Answer>, { headers }: Response): Run<Answer> {
  const places = [headers.get('x-askd-artifact'), headers.get('x-askd-device')].filter(Boolean);
  return places.length === 0 ? run : { ...run, servedBy: places.join(', ') };
}

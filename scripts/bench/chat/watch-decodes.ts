import type { LlamaContext } from 'node-llama-cpp';
import { median } from '../overhead/timing.ts';

type Native = { initBatch(tokens: number): void; decodeBatch(): Promise<void> };
type Decode = { tokens: number; startMs: number; endMs: number };

/** When this thread starts each native decode of a context, and when it hears of its end. */
export function watchDecodes(context: LlamaContext) {
  const { _ctx: native } = context as unknown as { _ctx: Native };
  const [begin, decode] = [native.initBatch.bind(native), native.decodeBatch.bind(native)];
  let decodes: Decode[] = [];
  let tokens = 0;
  Object.defineProperties(native, {
    initBatch: {
      value: (count: number) => {
        tokens = count;
        begin(count);
      },
    },
    decodeBatch: {
      value: async () => {
        const startMs = performance.now();
        const started = { tokens, startMs };
        await decode();
        decodes.push({ ...started, endMs: performance.now() });
      },
    },
  });

  return {
    forget: () => void (decodes = []),
    /** The median between two decodes that both had this many tokens. */
    betweenMs(count: number): number {
      const gaps = decodes.flatMap(({ tokens: size, startMs }, index) => {
        const before = decodes[index - 1];
        return before && before.tokens === count && size === count ? [startMs - before.endMs] : [];
      });
      return median(gaps);
    },
  };
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SERVICE_MODELS } from '../../../src/library/service-models.ts';
import { NANO_PER_CREDIT } from '../../../src/base/money.ts';
import { costOf, toPrice, withoutFreeTokens } from '../../../src/wallet/pricing.ts';

const chat = toPrice({ input_price_per_million: 0.1, output_price_per_million: 0.2, currency: 'usd' });
const tokens = fc.integer({ min: 0, max: 200_000 });

function priceOf(id: string) {
  return toPrice(SERVICE_MODELS.find((model) => model.id === id)?.pricing ?? {});
}

describe('a price', () => {
  test.each([
    ['svc-chat-v1', { promptTokens: 1_000_000, completionTokens: 1_000_000 }, 0.3],
    ['svc-vision-v1', { promptTokens: 1_000_000, completionTokens: 1_000_000 }, 0.15],
    ['svc-embed-v1', { promptTokens: 1_000_000 }, 0.01],
    ['svc-moderation-v1', { promptTokens: 1_000_000 }, 0.05],
    ['svc-rerank-v1', { promptTokens: 1_000_000 }, 0.02],
    ['svc-whisper-v1', { seconds: 60 }, 0.006],
    ['svc-tts-v1', { characters: 1_000_000 }, 15],
    ['svc-image-v1', { images: 1 }, 0.02],
  ])('of %s for %j is what the catalogue says', (id, counts, credits) => {
    expect(costOf(priceOf(id), counts)).toBe(Math.round(credits * NANO_PER_CREDIT));
  });

  test('is exact, and rounded up once for the whole request', () => {
    fc.assert(
      fc.property(tokens, tokens, (promptTokens, completionTokens) => {
        const pico = BigInt(promptTokens) * 100_000n + BigInt(completionTokens) * 200_000n;
        const cost = BigInt(costOf(chat, { promptTokens, completionTokens }));
        expect(cost * 1000n >= pico && (cost - 1n) * 1000n < pico).toBe(true);
      }),
    );
    expect(costOf({ promptTokens: 1, completionTokens: 1 }, { promptTokens: 1, completionTokens: 1 })).toBe(
      1,
    );
    expect(
      costOf({ promptTokens: 500, completionTokens: 501 }, { promptTokens: 1, completionTokens: 1 }),
    ).toBe(2);
  });

  test.each([1.1, 0.1 + 0.2, 2.3, 59.999, 1e-3])('of %d seconds has no error of its own', (seconds) => {
    expect(costOf(priceOf('svc-stt-v1'), { seconds })).toBe(Math.round(seconds * 1000) * 100);
  });

  test('of nothing is nothing, also if a count is zero or missing', () => {
    expect(costOf(chat, {})).toBe(0);
    expect(costOf(chat, { promptTokens: 0, completionTokens: 0, seconds: 5 })).toBe(0);
  });

  test('never falls when more is used', () => {
    fc.assert(
      fc.property(tokens, tokens, (promptTokens, completionTokens) => {
        const less = costOf(chat, { promptTokens, completionTokens });
        expect(costOf(chat, { promptTokens, completionTokens: completionTokens + 1 })).toBeGreaterThan(less);
      }),
    );
  });
});

test('free tokens cover the prompt first, then the answer, and never more than there are', () => {
  fc.assert(
    fc.property(tokens, tokens, tokens, (promptTokens, completionTokens, free) => {
      const left = withoutFreeTokens({ promptTokens, completionTokens, images: 2 }, free);
      const paid = (left.promptTokens ?? 0) + (left.completionTokens ?? 0);
      expect(paid).toBe(Math.max(0, promptTokens + completionTokens - free));
      expect(left.promptTokens).toBe(Math.max(0, promptTokens - free));
      expect(left.images).toBe(2);
    }),
  );
});

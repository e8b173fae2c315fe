import { NANO_PER_CREDIT } from '../base/money.ts';

/** The usage of a request, counted by the engine that served it. */
export type Counts = {
  promptTokens?: number;
  completionTokens?: number;
  characters?: number;
  seconds?: number;
  images?: number;
};

export type CountedUnit = keyof Counts;

/** Whole pico-credits (a thousandth of a nano-credit) for one of each unit. */
export type Price = Readonly<Partial<Record<CountedUnit, number>>>;

const PICO_PER_NANO = 1000;
const PICO_PER_CREDIT = NANO_PER_CREDIT * PICO_PER_NANO;

/** A model's price in the catalogue, in whole numbers. */
export function toPrice(pricing: Record<string, number | string>): Price {
  const per = (name: string, units: number) => {
    const credits = pricing[name];
    return typeof credits === 'number' ? Math.round((credits * PICO_PER_CREDIT) / units) : undefined;
  };
  return defined({
    promptTokens: per('input_price_per_million', 1e6) ?? per('price_per_million_tokens', 1e6),
    completionTokens: per('output_price_per_million', 1e6),
    characters: per('price_per_million_characters', 1e6),
    seconds: per('price_per_minute', 60),
    images: per('price_per_image', 1),
  });
}

/** The inverse, for one of its units. */
export function creditsPerMillion(picoEach: number): number {
  return (picoEach * MILLION) / PICO_PER_CREDIT;
}

/** What a batch pays. */
export function halfOf(price: Price): Price {
  const halves = Object.entries(price).map(([unit, each]) => [unit, Math.ceil(each / 2)]);
  return Object.fromEntries(halves) as Price;
}

/** Nano-credits, rounded up once for the whole request. Fractions of a unit count. */
export function costOf(price: Price, counts: Counts): number {
  let pico = 0n;
  for (const [unit, each] of Object.entries(price) as [CountedUnit, number][]) {
    pico += BigInt(Math.round((counts[unit] ?? 0) * MILLION)) * BigInt(each);
  }
  const divisor = BigInt(PICO_PER_NANO * MILLION);
  return Number((pico + divisor - 1n) / divisor);
}

/** Units are counted in millionths, finer than any audio is measured. */
const MILLION = 1_000_000;

export function tokensOf({ promptTokens = 0, completionTokens = 0 }: Counts): number {
  return promptTokens + completionTokens;
}

/** What is left to pay if this many tokens are free: first the prompt's, then those of the answer. */
export function withoutFreeTokens(counts: Counts, freeTokens: number): Counts {
  const { promptTokens = 0, completionTokens = 0 } = counts;
  const freePrompt = Math.min(promptTokens, freeTokens);
  const freeCompletion = Math.min(completionTokens, freeTokens - freePrompt);
  return {
    ...counts,
    promptTokens: promptTokens - freePrompt,
    completionTokens: completionTokens - freeCompletion,
  };
}

function defined<Key extends string>(values: Record<Key, number | undefined>): Partial<Record<Key, number>> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Partial<Record<Key, number>>;
}

import { median } from '../overhead/timing.ts';
import type { Figure } from '../accounts/report.ts';
import { prefixOf, textsOf, type Request, type Shape } from './plan.ts';
import { warmUp } from './warm-up.ts';

/** Embeds the texts and returns how many milliseconds that took. */
export type Embed = (texts: readonly string[]) => Promise<number>;
export type Sides = { engine: Embed; daemon: Embed; llamaServer?: Embed };

type Times = Partial<Record<keyof Sides, number[]>>;

const REPEATS_MAX = 20;

function repeatsOf({ count, tokens }: Request, { tokensOfRound }: Shape): number {
  return Math.min(REPEATS_MAX, Math.max(1, Math.round(tokensOfRound / (count * tokens))));
}

export async function measureEmbeddings(
  sides: Sides,
  { shape, rounds, print }: { shape: Shape; rounds: number; print: (text: string) => void },
): Promise<Figure[]> {
  const { requests } = shape;
  const measured = new Map<Request, Times[]>(requests.map((request) => [request, []]));
  for (let round = 1; round <= rounds; round++) {
    print(`${prefixOf(shape)}embeddings: round ${round} of ${rounds}`);
    for (const request of requests) {
      measured.get(request)?.push(await measureRequest(sides, { request, shape, round }));
    }
  }
  return requests.flatMap((request) =>
    toFigures(`${prefixOf(shape)}${request.count} × ${request.tokens} tokens`, {
      count: request.count,
      rounds: measured.get(request) ?? [],
    }),
  );
}

type Turn = { request: Request; shape: Shape; round: number };

/**
 * One side after another, each round starting with a different one, so that other load on the machine affects all of
 * them.
 */
async function measureRequest(sides: Sides, { request, shape, round }: Turn): Promise<Times> {
  const names = Object.keys(sides) as (keyof Sides)[];
  const first = round % names.length;
  const times: Times = {};
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    const embed = sides[name];
    if (embed === undefined) continue;
    const texts = textsOf(request.count, request.tokens);
    await warmUp(() => embed(texts));
    const measured: number[] = [];
    for (let repeat = 0; repeat < repeatsOf(request, shape); repeat++) measured.push(await embed(texts));
    times[name] = measured;
  }
  return times;
}

function toFigures(label: string, { count, rounds }: { count: number; rounds: readonly Times[] }): Figure[] {
  const msOf = (times: Times, name: keyof Sides) => median(times[name] ?? []);
  const perSecond = (name: keyof Sides) => median(rounds.map((times) => (1000 * count) / msOf(times, name)));
  const ratio = (name: keyof Sides) =>
    median(rounds.map((times) => msOf(times, name) / msOf(times, 'daemon')));
  const best = (name: keyof Sides) => Math.min(...rounds.flatMap((times) => times[name] ?? []));
  const added = median(rounds.map((times) => msOf(times, 'daemon') - msOf(times, 'engine')));
  const figures: Figure[] = [
    { label: `${label}: engine in-process`, unit: '/s', value: perSecond('engine') },
    { label: `${label}: daemon`, unit: '/s', value: perSecond('daemon') },
    { label: `${label}: added to a request`, unit: 'ms', value: added },
    { label: `${label}: daemon / engine`, unit: 'x', value: ratio('engine'), goal: { atLeast: 0.95 } },
    {
      label: `${label}: daemon / engine, the best of each`,
      unit: 'x',
      value: best('engine') / best('daemon'),
    },
  ];
  if (rounds.every((times) => times.llamaServer === undefined)) return figures;
  return [
    ...figures,
    { label: `${label}: llama-server`, unit: '/s', value: perSecond('llamaServer') },
    {
      label: `${label}: daemon / llama-server`,
      unit: 'x',
      value: ratio('llamaServer'),
      goal: { atLeast: 1 },
    },
  ];
}

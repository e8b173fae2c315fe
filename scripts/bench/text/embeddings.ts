import { median } from '../overhead/timing.ts';
import type { Figure } from '../accounts/report.ts';
import { textsOf, type Plan } from './plan.ts';

/** Makes vectors of the texts, and says how many milliseconds that took. */
export type Embed = (texts: readonly string[]) => Promise<number>;
export type Sides = { engine: Embed; daemon: Embed; llamaServer?: Embed };

type Cell = { count: number; tokens: number };
type Times = Partial<Record<keyof Sides, number[]>>;

/** Short requests are measured several times in a round. */
const TOKENS_OF_ROUND = 2500;
const REPEATS_MAX = 20;
const WARM_MS = 1200;

function repeatsOf({ count, tokens }: Cell): number {
  return Math.min(REPEATS_MAX, Math.max(1, Math.round(TOKENS_OF_ROUND / (count * tokens))));
}

export async function measureEmbeddings(
  sides: Sides,
  plan: Plan,
  tell: (text: string) => void,
): Promise<Figure[]> {
  const cells = cellsOf(plan);
  const measured = new Map<Cell, Times[]>(cells.map((cell) => [cell, []]));
  for (let round = 1; round <= plan.rounds; round++) {
    tell(`embeddings: round ${round} of ${plan.rounds}`);
    for (const cell of cells) measured.get(cell)?.push(await measureCell(sides, cell, round));
  }
  return cells.flatMap((cell) => toFigures(cell, measured.get(cell) ?? []));
}

/**
 * One side after the other, each round from another one, so that what else the machine does falls on all of them. A side
 * warms up first: askd takes threads away while other programs work, and here those are the other sides.
 */
async function measureCell(sides: Sides, cell: Cell, round: number): Promise<Times> {
  const names = Object.keys(sides) as (keyof Sides)[];
  const first = round % names.length;
  const times: Times = {};
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    const embed = sides[name];
    if (embed === undefined) continue;
    const texts = textsOf(cell.count, cell.tokens);
    for (const until = performance.now() + WARM_MS; performance.now() < until;) await embed(texts);
    const measured: number[] = [];
    for (let repeat = 0; repeat < repeatsOf(cell); repeat++) measured.push(await embed(texts));
    times[name] = measured;
  }
  return times;
}

function cellsOf({ inputs, tokens }: Plan): Cell[] {
  return tokens.flatMap((each) => inputs.map((count) => ({ count, tokens: each })));
}

function toFigures({ count, tokens }: Cell, rounds: readonly Times[]): Figure[] {
  const label = `${count} × ${tokens} tokens`;
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

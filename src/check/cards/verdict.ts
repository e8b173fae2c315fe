import { labelOf } from '../../runtime/devices/device.ts';
import type { CheckedCard } from './check-cards.ts';

/** `none` is a machine without a card. */
export type CardsVerdict = 'good' | 'weak' | 'broken' | 'none';

export function cardsVerdict(cards: readonly CheckedCard[]): CardsVerdict {
  const rows = cards.flatMap((card) => card.rows);
  if (rows.length === 0) return 'none';
  if (rows.some(({ status }) => status === 'failed')) return 'broken';
  return rows.some(({ status }) => status === 'weak') ? 'weak' : 'good';
}

/** `cuda NVIDIA H100 works, 410 tokens/s with 1 stream and 4,200 with 32`. */
export function cardSummary(card: CheckedCard): string {
  const failure = card.rows.find(({ status }) => status === 'failed');
  if (failure) return `${labelOf(card)} does not work: ${failure.name}: ${failure.message}`;
  const weak = card.rows.filter(({ status }) => status === 'weak').map(({ name }) => name);
  const works = weak.length === 0 ? 'works' : `works (weak: ${weak.join(', ')})`;
  const decoded = card.rows.filter(({ name, speed }) => name.startsWith('decode') && speed !== undefined);
  const [one, many] = [decoded[0], decoded.at(-1)];
  if (!one || !many) return `${labelOf(card)} ${works}`;
  if (one === many) return `${labelOf(card)} ${works}: ${shown(one.speed)} tokens/s`;
  return `${labelOf(card)} ${works}: ${shown(one.speed)} tokens/s alone, ${shown(many.speed)} with ${many.name.replace('decode, ', '')}`;
}

function shown(speed = 0): string {
  return speed < 10 ? speed.toFixed(1) : Math.round(speed).toLocaleString('en');
}

import { toFailure } from '../../src/base/errors.ts';
import { entryFile } from '../../src/base/paths.ts';
import { checkCards, type CheckedCard } from '../../src/check/cards/check-cards.ts';
import { cardsVerdict, cardSummary } from '../../src/check/cards/verdict.ts';
import { starterChat } from '../../models/catalog/starter/starter-chat.ts';
import { labelOf, type Device } from '../../src/runtime/devices/device.ts';

/** A child process of `askd doctor --gpu`. It prints a line of JSON for each step; the last is the result. */
type Order = { devices?: string[]; layers?: number; modules?: string };

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());

const programs = { finder: entryFile('models/devices.js'), runner: entryFile('models/runner.js') };

await check(JSON.parse(process.argv[2] ?? '{}') as Order);

async function check(order: Order): Promise<void> {
  try {
    for await (const event of checkCards({ ...order, starter: starterChat, ...programs }, stop.signal)) {
      if (event.type === 'running') print({ type: event.type, card: labelOf(event.card), step: event.step });
      if (event.type === 'finished') print({ type: event.type, card: labelOf(event.card), row: event.row });
      if (event.type === 'done') print({ type: event.type, check: describe(event.found, event.cards) });
    }
  } catch (error) {
    const { code, message, details } = toFailure(error);
    print({ type: 'failed', code, message, details });
  }
}

function describe(found: readonly Device[], cards: readonly CheckedCard[]) {
  return {
    verdict: cardsVerdict(cards),
    summary: cards.map(cardSummary).join('. '),
    cards: cards.map(({ rows, ...card }) => ({ ...shown(card), driver: card.driver, rows })),
    not_checked: found.filter(({ index }) => cards.every((card) => card.index !== index)).map(shown),
  };
}

function shown({ index, name, backend, totalBytes, freeBytes, isShared, isAutomatic }: Device) {
  return {
    ...{ index, name, backend, total_bytes: totalBytes, free_bytes: freeBytes },
    ...{ is_shared: isShared, is_automatic: isAutomatic },
  };
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

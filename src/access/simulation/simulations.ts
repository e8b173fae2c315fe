import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { Store } from '../../store/store.ts';
import { createRules } from './rules.ts';
import { breaksAnswer, parseHeader, readTrouble, toHeader, type Trouble } from './trouble.ts';

export const SIMULATE_HEADER = 'x-askd-simulate';
export const SIMULATED_HEADER = 'x-askd-simulated';
/** Remembered because webhooks report a request after it has ended. */
const REMEMBERED_MAX = 10_000;

export type Simulated = { trouble: Trouble; text: string; isFree: boolean };
export type Simulations = ReturnType<typeof createSimulations>;

type Asking = {
  requestId: string;
  keyId: string | null;
  header: string | undefined;
  method: string;
  path: string;
};

/** Failures simulated for test keys, requested by a header or by rules. */
export function createSimulations({ store, clock }: { store: Store; clock: Clock }) {
  const rules = createRules({ store, clock });
  const recent = new Map<string, Simulated>();

  /** Costs ordinary requests no more than two comparisons. */
  function begin(asking: Asking): Simulated | undefined {
    if (asking.header === undefined && !rules.areAny()) return undefined;
    const trouble = find(asking);
    if (trouble === undefined) return undefined;
    const simulated = { trouble, text: toHeader(trouble), isFree: breaksAnswer(trouble) };
    recent.set(asking.requestId, simulated);
    if (recent.size > REMEMBERED_MAX) recent.delete(recent.keys().next().value ?? '');
    return simulated;
  }

  function find({ keyId, header, method, path }: Asking): Trouble | undefined {
    if (header === undefined) return keyId === null ? undefined : rules.next(keyId, method, path);
    requireTest(keyId);
    return readTrouble(parseHeader(header), SIMULATE_HEADER);
  }

  function isTest(keyId: string): boolean {
    return store.prepare<{ is_test: number }>(IS_TEST).get(keyId)?.is_test === 1;
  }

  function requireTest(keyId: string | null): void {
    if (keyId !== null && isTest(keyId)) return;
    throw new Failure(
      'simulation_not_allowed',
      'Only test keys can request simulated failures. Create one: askd keys create --test --name NAME',
    );
  }

  return { begin, isTest, requireTest, rules, of: (requestId: string) => recent.get(requestId) };
}

const IS_TEST = 'SELECT is_test FROM api_keys WHERE id = ?';

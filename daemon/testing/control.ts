import { getTestClock, moveTestClock, setTestWallet } from '../../src/api/management/test-control.ts';
import { toIso } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/errors.ts';
import { createSetBalance } from '../../src/wallet/set-balance.ts';
import type { Services } from '../compose.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import { catchUp } from './catch-up.ts';

/** Controls for tests. Only a daemon that was started for tests has these routes. */
export function registerTestControl(register: RegisterRoute, services: Services): void {
  const { testClock: clock, wallet, webhooks } = services;
  if (!clock) return;
  const setBalance = createSetBalance(services);
  const now = () => ({ now: toIso(clock.now()) });

  register(getTestClock, now);

  register(moveTestClock, async ({ body }) => {
    const { advance, now: date } = body;
    // Deliveries in flight get their answer, and so the time of their next attempt, before the clock moves.
    await webhooks.worker.settled();
    if (advance !== undefined) clock.advance(advance);
    else if (date !== undefined) clock.moveTo(Date.parse(date));
    else throw new Failure('missing_required_parameter', 'Give "advance" or "now".', { param: 'advance' });
    await catchUp(services);
    return now();
  });

  register(setTestWallet, ({ body, principal }) => {
    setBalance(principal.accountId, body.balance);
    return wallet.balance(principal.accountId);
  });
}

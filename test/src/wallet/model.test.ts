import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { auditLedger } from '../../../src/wallet/audit.ts';
import type { Hold } from '../../../src/wallet/holds.ts';
import { settableClock } from '../../helpers/clock.ts';
import { ACCOUNT, walletOver } from '../../helpers/accounts/wallet.ts';

/** The simplest possible wallet; the real one must agree with it after every step. */
type Model = {
  posted: number;
  holds: Map<string, { amount: number; month: number; isOrphan: boolean }>;
  usages: { id: string; cost: number; isRefunded: boolean }[];
  spent: Map<number, number>;
  limit?: number;
};

type Real = {
  parts: ReturnType<typeof walletOver>;
  holds: Map<string, Hold>;
  start: () => void;
  month: number;
  serial: number;
};

type Step = fc.Command<Model, Real>;

const DAY = 86_400_000;
const amount = fc.integer({ min: 1, max: 60 });
const pick = fc.nat(30);

function heldIn(model: Model, month?: number): number {
  const counted = [...model.holds.values()].filter((hold) => month === undefined || hold.month === month);
  return counted.reduce((sum, hold) => sum + hold.amount, 0);
}

function room(model: Model, month: number): number {
  const funds = model.posted - heldIn(model);
  const { limit } = model;
  if (limit === undefined) return funds;
  return Math.max(0, Math.min(funds, limit - (model.spent.get(month) ?? 0) - heldIn(model, month)));
}

function agree(model: Model, { parts }: Real): void {
  const balance = parts.wallet.balance(ACCOUNT);
  const shown = [model.posted, heldIn(model)].map((nano) => Number((nano / 1e9).toFixed(9)));
  expect([balance.balance, balance.held]).toEqual(shown);
  expect(auditLedger(parts.store).findings).toEqual([]);
}

function step(
  name: string,
  run: (model: Model, real: Real) => void,
  check: (model: Readonly<Model>) => boolean = () => true,
): Step {
  return {
    check,
    run(model, real) {
      run(model, real);
      agree(model, real);
    },
    toString: () => name,
  };
}

const credit = fc.tuple(amount, fc.constantFrom('topup', 'bonus')).map(([amountN, type]) =>
  step(`credit ${amountN}`, (model, { parts, serial }) => {
    const posting = { accountId: ACCOUNT, type, amountN, description: '', refType: 'test' } as const;
    const credits = [`${serial}-${model.posted}-${model.usages.length}-${amountN}`];
    for (const refId of [...credits, ...credits]) {
      const isNew = parts.store.transaction(() => parts.wallet.credit({ ...posting, refId }));
      if (isNew) model.posted += amountN;
    }
  }),
);

const open = fc.tuple(amount, amount).map(([least, more]) =>
  step(`hold ${least} to ${least + more}`, (model, real) => {
    const id = `req_${(real.serial += 1)}`;
    const { store, wallet } = real.parts;
    const wanted = { leastN: least, wantN: least + more };
    const expected = Math.min(least + more, room(model, real.month));
    const attempt = () => store.transaction(() => wallet.holds.open(ACCOUNT, id, wanted));
    if (expected < least) {
      expect(attempt).toThrow(
        expect.objectContaining({ kind: expect.objectContaining({ status: 402 }) as object }),
      );
      return;
    }
    const hold = attempt();
    expect(hold.amountN).toBe(expected);
    real.holds.set(id, hold);
    model.holds.set(id, { amount: expected, month: real.month, isOrphan: false });
  }),
);

/** A step on one of the holds of this run, if there is one. */
function onHold(
  name: string,
  run: (at: { model: Model; real: Real; id: string; hold: Hold }) => void,
  which: number,
): Step {
  const own = (model: Model) => [...model.holds].flatMap(([id, { isOrphan }]) => (isOrphan ? [] : [id]));
  return step(
    name,
    (model, real) => {
      const ids = own(model);
      const id = ids[which % ids.length] ?? '';
      const hold = real.holds.get(id);
      if (hold) run({ model, real, id, hold });
    },
    (model) => own(model).length > 0,
  );
}

const extend = fc.tuple(pick, amount, amount).map(([which, least, more]) =>
  onHold(
    `extend by ${least} to ${least + more}`,
    ({ model, real, id, hold }) => {
      const held = model.holds.get(id);
      if (!held) return;
      const { store, wallet } = real.parts;
      const expected = Math.min(least + more, room(model, held.month));
      const extended = store.transaction(() =>
        wallet.holds.extend(hold, { leastN: least, wantN: least + more }),
      );
      expect(extended?.amountN).toBe(expected < least ? undefined : hold.amountN + expected);
      if (!extended) return;
      real.holds.set(id, extended);
      held.amount += expected;
    },
    which,
  ),
);

const settle = fc.tuple(pick, fc.nat(80)).map(([which, cost]) =>
  onHold(
    `settle ${cost}`,
    ({ model, real, id, hold }) => {
      const { store, wallet } = real.parts;
      const paid = Math.min(cost, hold.amountN);
      const month = model.holds.get(id)?.month ?? 0;
      const transaction = real.parts.settle(hold, cost);
      expect(transaction === undefined).toBe(paid === 0);
      if (transaction) model.usages.push({ id: transaction, cost: paid, isRefunded: false });
      model.posted -= paid;
      model.spent.set(month, (model.spent.get(month) ?? 0) + paid);
      model.holds.delete(id);
      expect(() =>
        store.transaction(() => wallet.holds.settle(hold, { costN: cost, description: '' })),
      ).toThrow();
    },
    which,
  ),
);

const release = pick.map((which) =>
  onHold(
    'release',
    ({ model, real, id, hold }) => {
      const { store, wallet } = real.parts;
      store.transaction(() => wallet.holds.release(hold));
      model.holds.delete(id);
      expect(() => store.transaction(() => wallet.holds.release(hold))).toThrow();
    },
    which,
  ),
);

const refund = pick.map((which) =>
  step(
    'refund',
    (model, { parts }) => {
      const usage = model.usages[which % model.usages.length];
      if (!usage) return;
      const reference = { refType: 'usage', refId: usage.id };
      const posting = { accountId: ACCOUNT, type: 'refund', amountN: usage.cost, description: '' } as const;
      const isNew = parts.store.transaction(() => parts.wallet.credit({ ...posting, ...reference }));
      expect(isNew).toBe(!usage.isRefunded);
      if (isNew) model.posted += usage.cost;
      usage.isRefunded = true;
    },
    (model) => model.usages.length > 0,
  ),
);

const limit = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }).map((limitN) =>
  step(`limit ${limitN}`, (model, { parts }) => {
    const spendingLimit = { enabled: limitN !== undefined, limitN: limitN ?? 0, action: 'block' } as const;
    parts.wallet.settings.put(ACCOUNT, { spendingLimit });
    if (limitN === undefined) delete model.limit;
    else model.limit = limitN;
  }),
);

const nextMonth = fc.constant(
  step('next month', (_model, real) => {
    real.parts.clock.advance(31 * DAY);
    real.month += 1;
  }),
);

/** As when the process is killed and restarted: open holds belong to nobody and are released. */
const restart = fc.constant(
  step('restart', (model, real) => {
    real.start();
    model.holds.clear();
    real.holds.clear();
  }),
);

test('whatever happens in whatever order, the wallet is right after every step', () => {
  const steps = [
    credit,
    credit,
    open,
    open,
    extend,
    settle,
    settle,
    release,
    refund,
    limit,
    nextMonth,
    restart,
  ];
  fc.assert(
    fc.property(fc.commands(steps, { maxCommands: 60 }), (commands) => {
      const store = openStore(':memory:');
      try {
        fc.modelRun(() => ({ model: newModel(), real: newReal(store) }), commands);
      } finally {
        store.close();
      }
    }),
    { numRuns: 150 },
  );
}, 120_000);

function newModel(): Model {
  return { posted: 0, holds: new Map(), usages: [], spent: new Map() };
}

function newReal(store: ReturnType<typeof openStore>): Real {
  const clock = settableClock(Date.UTC(2026, 0, 15));
  let boots = 0;
  const real: Real = {
    parts: walletOver(store, { clock, bootId: 'boot-0' }),
    holds: new Map(),
    month: 0,
    serial: 0,
    start() {
      boots += 1;
      real.parts = walletOver(store, { clock, bootId: `boot-${boots}` });
      store.transaction(real.parts.wallet.holds.releaseOrphans);
    },
  };
  return real;
}

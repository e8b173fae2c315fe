import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { toNano } from '../../../src/base/money.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { ACCOUNT, openWallet } from '../../helpers/accounts/wallet.ts';

const HAMMER = join(import.meta.dirname, '../../helpers/accounts/hammer.js');
const PROCESSES = 4;
const ATTEMPTS = 150;
const AFFORDABLE = 400;

test('four concurrent processes are granted exactly what the balance is worth', async () => {
  const path = join(temporaryFolder(), 'askd.db');
  const { credit, wallet, findings } = openWallet({ path });
  credit(AFFORDABLE + 0.5);
  const runs = Array.from({ length: PROCESSES }, () =>
    execa(process.execPath, [HAMMER, path, ACCOUNT, String(ATTEMPTS), String(toNano(1))]),
  );
  const tallies = (await Promise.all(runs)).map(
    ({ stdout }) => JSON.parse(stdout) as { granted: number; refused: number },
  );
  const granted = tallies.reduce((sum, tally) => sum + tally.granted, 0);
  const refused = tallies.reduce((sum, tally) => sum + tally.refused, 0);
  expect([granted, refused]).toEqual([AFFORDABLE, PROCESSES * ATTEMPTS - AFFORDABLE]);
  expect(wallet.balance(ACCOUNT).available).toBe(0.5);
  expect(findings()).toEqual([]);
}, 120_000);

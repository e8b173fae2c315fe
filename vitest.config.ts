import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const JOURNEYS = ['test/journeys/**/*.test.{ts,tsx}', 'test/examples/**/*.test.ts'];
const SLOW = JSON.parse(readFileSync(new URL('test/slow-files.json', import.meta.url), 'utf8')) as string[];
/** `npm run test:quick` leaves out the journeys and the files listed as slow. */
const isQuick = process.env['ASKD_TEST_QUICK'] === '1';
/** Tests that want a keyring start one of their own, and none writes into that of whoever runs them. */
const WITHOUT_KEYRING = { DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
const node = {
  environment: 'node',
  pool: 'forks',
  maxWorkers: 2,
  hookTimeout: 30_000,
  env: WITHOUT_KEYRING,
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'parts',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...JOURNEYS, ...(isQuick ? SLOW : [])],
          testTimeout: 60_000,
        },
      },
      {
        // Real binaries and real loads: they come after the rest, with the machine to themselves.
        test: {
          ...node,
          name: 'journeys',
          include: isQuick ? [] : JOURNEYS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

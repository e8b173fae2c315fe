import { defineConfig } from 'vitest/config';

const JOURNEYS = ['test/journeys/**/*.test.{ts,tsx}', 'test/examples/**/*.test.ts'];
const node = { environment: 'node', pool: 'forks', maxWorkers: 2, hookTimeout: 30_000 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'parts',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: JOURNEYS,
          testTimeout: 60_000,
        },
      },
      {
        // Real binaries and real loads: they come after the rest, with the machine to themselves.
        test: {
          ...node,
          name: 'journeys',
          include: JOURNEYS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { readFileSync, writeFileSync } from 'node:fs';

const SLOW = JSON.parse(readFileSync(new URL('../test/slow-files.json', import.meta.url), 'utf8'));
const SLOW_MS = 5_000;
/** Slow, but still worth its time in the inner loop. */
const KEPT = ['test/architecture.test.ts'];

/** Writes the counts of a vitest run into the file that ASKD_TEST_TALLY names, for the closing line of `npm test`. */
export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = {
      passed: 0,
      failed: unhandledErrors.length,
      skipped: 0,
      slow: modules.filter(isSlow).map(describe),
    };
    for (const module of modules) {
      const failedBefore = tally.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state in tally) tally[state] += 1;
      }
      // A file that does not load, or whose hooks fail, has no failed test to count.
      if (!module.ok() && tally.failed === failedBefore) tally.failed += 1;
    }
    writeFileSync(process.env.ASKD_TEST_TALLY, JSON.stringify(tally));
  }
}

/** A file that test:quick should skip, but does not. */
function isSlow(module) {
  const isListed = [...SLOW, ...KEPT].includes(module.relativeModuleId);
  return module.project.name !== 'journeys' && !isListed && module.diagnostic().duration > SLOW_MS;
}

function describe(module) {
  return `${module.relativeModuleId} (${(module.diagnostic().duration / 1000).toFixed(1)} s)`;
}

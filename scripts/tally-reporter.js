import { writeFileSync } from 'node:fs';

/** Leaves the counts of a vitest run in the file that ASKD_TEST_TALLY names, for the closing line of `npm test`. */
export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
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

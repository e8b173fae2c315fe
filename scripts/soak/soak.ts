import { parseArgs } from 'node:util';
import { soak } from './run.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, 'crowd-seconds': { type: 'string', default: '60' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes is a number above 0, not ${values.minutes}`);

// Ends early, with its report and without leaving its daemon behind.
const interrupting = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupting.abort());

const { report, findings } = await soak(
  {
    minutes,
    crowdSeconds: Number(values['crowd-seconds']),
    killEveryMs: 60_000,
    fillEveryMs: 180_000,
    stepEveryMs: 240_000,
    sampleEveryMs: 15_000,
  },
  (line) => console.log(line),
  interrupting.signal,
);
console.log(report);
process.exitCode = findings.length === 0 ? 0 : 1;

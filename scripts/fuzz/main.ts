import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FORMATS } from './cases.ts';
import { parseAll } from './parse.ts';
import { PARSERS } from './parsers.ts';
import { fuzz } from './run.ts';
import type { Tally } from './tally.ts';

const USAGE = `Usage: npm run fuzz -- [--door] [--format NAME] [--count N] [--seed TEXT] [--from N] [--keep FOLDER]
Gives mutated files of each format to the code that reads it, and reports what it did wrong.
  --door    sends them to a daemon instead, a hundred times slower
  --format  one of ${FORMATS.map(({ name }) => name).join(', ')}; all of them when absent
  --count   mutations of each, 5000 when absent
  --minutes how long each format may take, without a limit when absent
  --seed    the same seed makes the same files, 1 when absent
  --from    the number of the first case, 0 when absent: with --count 1 for a case that failed
  --keep    the folder of files that failed`;

const { values } = parseArgs({
  options: {
    format: { type: 'string' },
    count: { type: 'string', default: '5000' },
    minutes: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    keep: { type: 'string', default: join(tmpdir(), 'askd-fuzz-failures') },
    door: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const chosen = FORMATS.filter(
  ({ name }) => name === (values.format ?? name) && (values.door === true || PARSERS[name] !== undefined),
);
const [count, from, minutes] = [Number(values.count), Number(values.from), Number(values.minutes)];

if (
  values.help ||
  chosen.length === 0 ||
  !Number.isSafeInteger(count) ||
  !Number.isSafeInteger(from) ||
  !(minutes > 0)
) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  console.log(`seed ${values.seed}, ${count} cases of each, ${availableParallelism()} cores`);
  console.log(
    row(['format', 'answered', 'refused', 'crashed', 'failed', 'slowest', 'daemon', 'runner', 'took']),
  );
  for (const format of chosen) {
    const startedAt = performance.now();
    const tally = await (values.door ? fuzz : parseAll)({
      format,
      seed: values.seed,
      from,
      count,
      msMax: minutes * 60_000,
      keep: values.keep,
    });
    report(format.name, tally, performance.now() - startedAt);
  }
}

function report(name: string, tally: Tally, ms: number): void {
  const { answered, refused, crashed, failed, findings, slowestMs, daemonBytes, runnerBytes } = tally;
  const sizes = [daemonBytes, runnerBytes].map((bytes) => `${Math.round(bytes / 1e6)} MB`);
  const times = [slowestMs, ms].map((each) => `${(each / 1000).toFixed(1)} s`);
  console.log(row([name, ...[answered, refused, crashed, failed].map(String), times[0], ...sizes, times[1]]));
  for (const { index, what, file } of findings) console.log(`  case ${index}: ${what}\n    kept in ${file}`);
  if (findings.length > 0) process.exitCode = 1;
}

function row(cells: readonly (string | undefined)[]): string {
  return cells
    .map((cell, index) => (index === 0 ? (cell ?? '').padEnd(16) : (cell ?? '').padStart(10)))
    .join('');
}

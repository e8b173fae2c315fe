import type { Finding } from '../../../src/api/management/library.ts';
import { command } from '../../command.ts';
import { commaList, integerBetween } from '../../command-line/arguments.ts';
import { formatCount } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { wrapText } from '../../output/wrap.ts';

const MARKS: Record<Finding['level'], string> = { ok: 'ok', warning: 'warn', problem: 'FAIL' };
const INDENT = 6;

type DoctorOptions = { hashes?: true; ledger?: true; gpu?: true; devices?: string[]; layers?: number };

export const doctor = command<DoctorOptions>({
  name: 'doctor',
  group: 'Daemon:',
  summary: 'check this installation and suggest fixes',
  details:
    'Changes nothing. Exits with 1 if something does not work. --gpu checks the graphics cards instead: it ' +
    'loads models on them, compares their answers with those of the processor, measures their speed, lets a ' +
    'load run out of memory and kills a runner. Without a card it exits with 5.',
  examples: [
    'askd doctor',
    'askd doctor --hashes',
    'askd doctor --ledger',
    'askd doctor --gpu',
    'askd doctor --json',
  ],
  configure(commander) {
    commander
      .option('--hashes', 'verify the hash of every downloaded file')
      .option('--ledger', 'recompute every balance from its transactions')
      .option('--gpu', 'check the graphics cards, and nothing else')
      .option('--devices <list>', 'with --gpu: only these, by number or name', commaList)
      .option('--layers <count>', 'with --gpu: layers of the model that is measured', integerBetween(1, 200));
  },
  async run(context, { options: { hashes = false, ledger = false, gpu, devices, layers } }) {
    const { output } = context;
    if (gpu) {
      const { checkGpu } = await import('../../doctor/gpu.ts');
      return checkGpu(context, { devices, layers });
    }
    const { runChecks } = await import('../../doctor.ts');
    const findings = await runChecks(context, { hashes, ledger });
    const problems = findings.filter(({ level }) => level === 'problem').length;
    const warnings = findings.filter(({ level }) => level === 'warning').length;
    output.result({ schema: 'doctor/1', ok: problems === 0, problems, warnings, findings }, () =>
      [...findings.map((finding) => findingText(finding, output)), summary(problems, warnings)].join('\n'),
    );
    return problems === 0 ? 0 : 1;
  },
});

function findingText({ check, level, message, fix }: Finding, { width }: Output): string {
  const lines = [`${check}: ${message}`, ...(fix === undefined ? [] : [`fix: ${fix}`])];
  const indented = lines.flatMap((line) => wrapText(line, width - INDENT));
  const [first = '', ...rest] = indented;
  return [MARKS[level].padEnd(INDENT) + first, ...rest.map((line) => ' '.repeat(INDENT) + line)].join('\n');
}

function summary(problems: number, warnings: number): string {
  if (problems + warnings === 0) return 'No problems found.';
  return `${formatCount(problems, 'problem')}, ${formatCount(warnings, 'warning')}.`;
}

import type { Finding } from '../../../src/api/management/library.ts';
import { command } from '../../command.ts';
import { formatCount } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { wrapText } from '../../output/wrap.ts';

const MARKS: Record<Finding['level'], string> = { ok: 'ok', warning: 'warn', problem: 'FAIL' };
const INDENT = 6;

export const doctor = command<{ hashes?: true; ledger?: true }>({
  name: 'doctor',
  group: 'Daemon:',
  summary: 'check this installation and suggest fixes',
  details: 'Changes nothing. Exits with 1 if something does not work.',
  examples: ['askd doctor', 'askd doctor --hashes', 'askd doctor --ledger', 'askd doctor --json'],
  configure(commander) {
    commander
      .option('--hashes', 'verify the hash of every downloaded file')
      .option('--ledger', 'recompute every balance from its transactions');
  },
  async run(context, { options: { hashes = false, ledger = false } }) {
    const { output } = context;
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

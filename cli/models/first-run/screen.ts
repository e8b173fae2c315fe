import type { RecommendedModel } from '../../../src/api/management/recommend.ts';
import type { Context } from '../../context.ts';
import { formatBytes, formatCount } from '../../output/format.ts';
import { wrapped } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { renderTable, type Column } from '../../output/table.ts';
import { shortService } from '../adopt-text.ts';
import { rangeText } from '../recommend.ts';
import { bytesOf, findingFields, firstSet, type Findings } from './findings.ts';

export type Choice = { key: string; shown: string; text: string };

/** Everything that the first start shows, on one screen. */
export function firstScreen(findings: Findings, { output, io }: Context): string {
  const set = firstSet(findings.recommendation);
  const fields = findingFields(findings).map(([name, value]) =>
    indented(name.padEnd(NAME_WIDTH), value, io.stderr),
  );
  const table = renderTable(set, COLUMNS, { ...output, width: output.width - 2 }).replace(/^/gm, '  ');
  const choices = choicesFor(findings).map(({ shown, text }) =>
    indented(shown.padEnd(KEY_WIDTH), text, io.stderr),
  );
  return [
    '',
    output.header('This computer'),
    ...fields,
    '',
    ...(set.length === 0
      ? [noSetText(findings)]
      : [output.header('Recommended for this computer'), table, ...speedNote(findings)]),
    '',
    ...choices,
    '',
  ].join('\n');
}

const NAME_WIDTH = 11;
const KEY_WIDTH = 8;

function indented(name: string, value: string, stream: Context['io']['stderr']): string {
  return `  ${name}${wrapped(sanitiseLine(value), stream, ' '.repeat(name.length + 2))}`;
}

const COLUMNS: Column<RecommendedModel>[] = [
  { title: 'FOR', value: ({ service }) => USES[service] ?? shortService(service) },
  { title: 'MODEL', value: ({ name }) => name, shrinks: true },
  { title: 'SIZE', value: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { title: 'TOKENS/S', value: ({ expected_tokens_per_second: speed }) => (speed ? rangeText(speed) : '-') },
  { title: 'LICENCE', value: ({ licence }) => licence },
];

const USES: Readonly<Record<string, string>> = { 'svc-chat-v1': 'chat', 'svc-embed-v1': 'embeddings' };

function speedNote({ recommendation: { machine } }: Findings): string[] {
  if (machine.speed?.is_calm !== false) return [];
  return ['  Other programs were busy while the speed was measured: it may be higher.'];
}

function noSetText({ recommendation: { models } }: Findings): string {
  const isHere = models.some(
    ({ service, is_installed: isInstalled }) => isInstalled && service === 'svc-chat-v1',
  );
  return isHere
    ? 'The recommended chat model is on this computer already.'
    : 'No recommended model fits on the disk: askd recommend shows them all.';
}

/** The keys that the screen accepts. */
export function choicesFor(findings: Findings): Choice[] {
  const set = firstSet(findings.recommendation);
  const { length } = findings.adoptable;
  const download = `download ${set.length > 1 ? 'them' : 'it'} (${formatBytes(bytesOf(set))}) and chat meanwhile`;
  return [
    { key: '\r', shown: 'Enter', text: set.length > 0 ? download : 'start a chat' },
    ...(length > 0
      ? [
          {
            key: 'a',
            shown: 'a',
            text: `use the ${formatCount(length, 'model')} of other programs, and chat`,
          },
        ]
      : []),
    ...(set.length > 0
      ? [{ key: 's', shown: 's', text: 'skip: chat with the small starter model that ships with askd' }]
      : []),
    { key: 'm', shown: 'm', text: 'more choices: other models, account, start at login' },
    { key: '\u0003', shown: 'Ctrl-C', text: 'leave' },
  ];
}

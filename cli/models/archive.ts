import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { ArchiveProgress, CarriedSetting } from '../../src/api/management/archive.ts';
import { Failure } from '../../src/base/errors.ts';
import { formatBytes } from '../output/format.ts';
import type { Output } from '../output/output.ts';

const STEP_PERCENT = 10;
const STATES = {
  packing: 'packing',
  hashing: 'reading',
  writing: 'writing',
  verifying: 'verifying',
  done: '',
} as const;

/** Prints every tenth of each stage, and returns the last event. */
export async function followArchive(
  events: AsyncIterable<ArchiveProgress>,
  output: Output,
  commandName: string,
): Promise<ArchiveProgress> {
  let reported = '';
  for await (const event of events) {
    if (event.state === 'done') return event;
    for (const line of settingLines(event.settings)) output.note(line);
    const { state, bytes, bytes_total: total } = event;
    const step = total === 0 ? 0 : Math.floor((bytes * 100) / total / STEP_PERCENT) * STEP_PERCENT;
    const line = `${STATES[state].padEnd(9)}  ${String(step).padStart(3)}%`;
    if (line !== reported) output.note(`${line}  ${formatBytes(bytes)} of ${formatBytes(total)}`);
    reported = line;
  }
  throw new Failure(
    'daemon_unreachable',
    'The daemon stopped before it was done. The same command continues it.',
    {
      details: { fix: commandName },
    },
  );
}

export function exportedText(done: ArchiveProgress): string {
  const { files, models, services, left, bytes, settings, install } = done;
  const [first = ''] = files;
  const what = [...(install ? [askdText(install)] : []), ...models].join(', ');
  return [
    `Wrote ${what} to ${files.length === 1 ? first : `${files.length} parts, ${first} and so on`} (${formatBytes(bytes)}).`,
    ...(services.length === 0 ? [] : [`Services: ${services.join(', ')}`]),
    ...(settings.length === 0
      ? []
      : [`Settings: ${settings.map(({ name }) => name).join(', ')} (--no-settings leaves them out)`]),
    ...left.map((name) => `Left out ${name}: its starter model ships with every askd.`),
    ...nextLines(done),
  ].join('\n');
}

function askdText({ version, platform, bytes, engines }: NonNullable<ArchiveProgress['install']>): string {
  const more = engines.length === 0 ? '' : ` with the engines ${engines.join(', ')}`;
  return `askd ${version} for ${platform}${more} (${formatBytes(bytes)})`;
}

function nextLines({ files: [first = '', ...others], install }: ArchiveProgress): string[] {
  const archive = first.replace(/\.001$/, '');
  if (!install) return [`On the other machine: askd import ${archive}`];
  const name = basename(archive);
  const unpack = others.length === 0 ? `tar -xf ${name} install` : `cat ${name}.[0-9]* | tar -xf - install`;
  const script = install.platform.startsWith('win32') ? 'install\\install.cmd' : 'sh install/install.sh';
  return ['On the other machine, which needs Node.js and no network:', `  ${unpack}`, `  ${script} ${name}`];
}

/** Shown before any setting is applied. */
function settingLines(settings: readonly CarriedSetting[]): string[] {
  if (settings.length === 0) return [];
  return [
    'Settings in the archive (--no-settings applies none):',
    ...settings.map((each) => `  ${lineOf(each)}`),
  ];
}

function lineOf({ name, value, outcome, reason = '', fix }: CarriedSetting): string {
  const named = `${name} ${JSON.stringify(value)}`;
  if (outcome === 'refused') return `${name} is refused. ${reason}`;
  if (outcome === 'kept')
    return `${named} is not applied. ${reason}${fix === undefined ? '' : ` To apply it: ${fix}`}`;
  return outcome === 'same' ? `${named} is the same here.` : `${named} is applied, since it is not set here.`;
}

export function importedText({ models, services, settings }: ArchiveProgress): string {
  const taken = settings.filter(({ outcome }) => outcome === 'taken').map(({ name }) => name);
  const next = services.includes('svc-chat-v1') ? 'askd chat' : `askd show ${models[0] ?? ''}`;
  return [
    models.length === 0 ? 'There is no model in the archive.' : `Imported ${models.join(', ')}.`,
    ...(services.length === 0 ? [] : [`They serve ${services.join(', ')}.`]),
    ...(taken.length === 0
      ? []
      : [`Settings applied: ${taken.join(', ')}. They take effect when the daemon restarts: askd restart`]),
    ...(models.length === 0 ? [] : [`Next: ${next}`]),
  ].join('\n');
}

const NAME = 'askd-archive.json';
const BLOCK = 512;

/** Detected by content: a tar file whose first member is the list. */
export function isArchive(path: string): boolean {
  const first = existsSync(path) ? path : `${path}.001`;
  if (!existsSync(first)) return false;
  const file = openSync(first, 'r');
  try {
    const block = Buffer.alloc(BLOCK);
    readSync(file, block, 0, BLOCK, 0);
    return (
      block.toString('latin1', 0, NAME.length + 1) === `${NAME}\0` &&
      block.toString('latin1', 257, 262) === 'ustar'
    );
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}

import { existsSync } from 'node:fs';
import type { CheckedArchive } from '../../../src/backup/check-archive.ts';
import type { Manifest } from '../../../src/backup/manifest.ts';
import { formatBytes, formatCount } from '../../output/format.ts';

const NEVER_INSIDE =
  'Model files, the owner token, uploaded files, generated images, caches and logs are not in a backup.';

/** What an archive holds, for --json. */
export function describeArchive({ manifest, bytes }: CheckedArchive) {
  const { askd, schema, created_at, secrets, models, webhooks, members } = manifest;
  return {
    askd,
    database_schema: schema,
    created_at,
    bytes,
    members,
    secrets,
    models,
    webhooks: webhooks.length,
  };
}

export function contentLines({ manifest, bytes }: CheckedArchive): string[] {
  return [
    `Made by askd ${manifest.askd} on ${manifest.created_at}: ${formatBytes(bytes)}, every checksum correct.`,
    `Inside: keys, credits, usage, webhooks, documents, bindings, settings and saved chats.`,
    secretsLine(manifest),
    NEVER_INSIDE,
  ];
}

function secretsLine({ secrets: { names, sealed }, webhooks }: Manifest): string {
  const all = [
    ...names,
    ...(webhooks.length > 0 ? [`the signing secrets of ${formatCount(webhooks.length, 'webhook')}`] : []),
  ];
  if (all.length === 0) return 'It contains none of your secrets.';
  if (sealed) return `Encrypted with the passphrase: ${all.join(', ')}. Without it they cannot be restored.`;
  return `Left out, to be set again after a restore: ${all.join(', ')}.`;
}

/** Models whose files are not on this machine. */
export function missingModels({ models }: Manifest) {
  return models.filter(({ path }) => !existsSync(path));
}

/** What remains to be done after a restore, with the commands. */
export function remaining(manifest: Manifest, hasSecrets: boolean): { commands: string[]; lines: string[] } {
  const missing = missingModels(manifest);
  const pulls = missing.flatMap(({ pull }) => pull ?? []);
  const imports = missing.filter(({ pull }) => pull === null);
  const settings = hasSecrets ? [] : manifest.secrets.names.filter((name) => !name.startsWith('upstream '));
  const upstreams = hasSecrets ? [] : manifest.secrets.names.filter((name) => name.startsWith('upstream '));
  const rotations = hasSecrets ? [] : manifest.webhooks.map((id) => `askd webhooks rotate ${id}`);
  return {
    commands: [...pulls, ...settings.map((name) => `askd secrets set ${name}`), ...rotations],
    lines: [
      ...section('Model files to download again:', pulls),
      ...section(
        'Model files to restore by hand:',
        imports.map(({ id, path }) => `${id}: ${path}`),
      ),
      ...section(
        'Secrets to set again:',
        settings.map((name) => `askd secrets set ${name}`),
      ),
      ...section(
        'Models of other servers to add again with their key (askd upstream add):',
        upstreams.map((name) => name.slice('upstream '.length)),
      ),
      ...section('Webhooks that need a new signing secret:', rotations),
    ],
  };
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../../src/api/management/daemon.ts';
import type { Content } from '../../../src/backup/archive-writer.ts';
import { isMemberName, type BackedUpModel } from '../../../src/backup/manifest.ts';
import type { BackedUpSecrets } from '../../../src/backup/sealed-secrets.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Paths } from '../../../src/base/paths.ts';
import { readConfigFile } from '../../../src/config/config-file.ts';
import { SECRET_NAMES } from '../../../src/config/secrets/secret-names.ts';
import { openSecrets } from '../../../src/config/secrets/secrets.ts';
import { secretsInClear } from '../../config/secrets.ts';

/** The files of the home that no download can restore, without the secrets in them. */
export function filesOf(paths: Paths): Content[] {
  const config = Object.entries(readConfigFile(paths.config)).filter(([name]) => !isSecret(name));
  return [
    ...(config.length === 0 ? [] : [{ name: 'config.json', text: toJson(Object.fromEntries(config)) }]),
    ...(existsSync(paths.chatHistory)
      ? [{ name: 'chat-history', text: readFileSync(paths.chatHistory) }]
      : []),
    ...namesIn(paths.chats, 'chats').map((name) => ({ name, text: readFileSync(join(paths.home, name)) })),
    ...connections(paths).map(({ name, connection }) => ({ name, text: withoutKey(connection) })),
  ];
}

/** Everything secret: from the keyring, the files of the home, and the configuration file. */
export async function secretsOf(paths: Paths): Promise<BackedUpSecrets> {
  const { values, unreadable } = await openSecrets(paths).read();
  if (unreadable) {
    throw new Failure(
      'keyring_unavailable',
      `The keyring does not return ${unreadable.names.join(', ')}: ${unreadable.reason}.`,
      {
        details: { fix: 'unlock it, or make a backup without secrets: askd backup FILE --no-secrets' },
      },
    );
  }
  const keys = connections(paths).flatMap(({ name, connection: { key } }) =>
    key === undefined ? [] : [[name.slice('upstreams/'.length), key] as const],
  );
  return {
    sealKey: readFileSync(paths.sealKey).toString('base64'),
    settings: { ...secretsInClear({ paths }), ...values },
    upstreams: Object.fromEntries(keys),
  };
}

/** Named as in `askd secrets list`. */
export function namesOfSecrets(paths: Paths): string[] {
  const keyed = connections(paths).filter(({ connection }) => connection.key !== undefined);
  const names = [...Object.keys(openSecrets(paths).places()), ...Object.keys(secretsInClear({ paths }))];
  return [...new Set(names), ...keyed.map(({ connection }) => `upstream ${connection.model}`)];
}

/** Models whose files must be obtained again. Those on other servers have none. */
export function modelsOf(artifacts: readonly Artifact[]): BackedUpModel[] {
  return artifacts
    .filter(({ engine, bytes, tier }) => engine !== 'upstream' && bytes > 0 && tier !== 'starter')
    .map(({ id, path, bytes, files }) => ({
      id,
      path,
      bytes,
      files: files.map((file) => file.path),
      pull: files.some((file) => file.is_fetched) ? `askd pull ${id}` : null,
    }));
}

type Connection = { model: string; key?: string };

function withoutKey(connection: Connection): string {
  return JSON.stringify(Object.fromEntries(Object.entries(connection).filter(([name]) => name !== 'key')));
}

function connections(paths: Paths): { name: string; connection: Connection }[] {
  return namesIn(paths.upstreams, 'upstreams').map((name) => ({
    name,
    connection: JSON.parse(readFileSync(join(paths.home, name), 'utf8')) as Connection,
  }));
}

function namesIn(folder: string, prefix: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((file) => `${prefix}/${file}`)
    .filter(isMemberName)
    .sort();
}

const isSecret = (wanted: string) => SECRET_NAMES.some(({ name }) => name === wanted);

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

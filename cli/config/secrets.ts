import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../src/base/errors.ts';
import { didYouMean } from '../../src/base/did-you-mean.ts';
import { readConfigFile, writeConfigFile } from '../../src/config/config-file.ts';
import { SECRET_NAMES, type SecretName } from '../../src/config/secrets/secret-names.ts';
import { openSecrets, type SecretPlace, type SecretValues } from '../../src/config/secrets/secrets.ts';
import type { CliEnvironment } from '../environment.ts';

type Place = Pick<CliEnvironment, 'environment' | 'paths'>;

export type ListedSecret = {
  name: string;
  use: string;
  /** `config` means in clear text, in the configuration file. */
  kept: SecretPlace | 'config' | 'environment' | null;
  /** The variable that overrides what is stored. */
  variable: string | null;
};

/** Where each secret is that somebody set, but never its value. */
export function listSecrets({ environment, paths }: Place): ListedSecret[] {
  const places = openSecrets(paths).places();
  const config = readConfigFile(paths.config);
  const own = SECRET_NAMES.map(({ name, use, variables }): ListedSecret => {
    const variable = variables.find((each) => environment.env[each]) ?? null;
    const kept = places[name] ?? (config[name] === undefined ? null : 'config');
    return { name, use, kept: kept ?? (variable === null ? null : 'environment'), variable };
  });
  return [...own, ...upstreamKeys(paths.upstreams)];
}

/** Connections to other servers store their keys beside their URL, for the process that sends them. */
function upstreamKeys(folder: string): ListedSecret[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => {
    const { model, key } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>;
    if (key === undefined) return [];
    return [
      { name: `upstream ${model}`, use: 'a model that other servers run', kept: 'file', variable: null },
    ];
  });
}

export function requireSecret(named: string): SecretName {
  const found = SECRET_NAMES.find(({ name }) => name === named);
  if (found) return found;
  const names = SECRET_NAMES.map(({ name }) => name);
  throw new Failure('not_found', `Unknown secret "${named}".${didYouMean(named, names)}`, {
    details: { fix: 'askd secrets list' },
  });
}

/** Secrets that are in the configuration file in clear text. */
export function secretsInClear({ paths }: Pick<Place, 'paths'>): SecretValues {
  const config = readConfigFile(paths.config);
  const found = SECRET_NAMES.flatMap(({ name }) => {
    const value = config[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

export function forgetInClear({ paths }: Pick<Place, 'paths'>, names: readonly string[]): void {
  const config = readConfigFile(paths.config);
  if (!names.some((name) => name in config)) return;
  writeConfigFile(
    paths.config,
    Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name))),
  );
}

export type Kept = { place: SecretPlace; reason?: string };

/** Stores a secret, and removes it from the configuration file. */
export async function keepSecret(
  place: Pick<Place, 'paths'>,
  { name, value, wanted }: { name: string; value: string; wanted?: SecretPlace | undefined },
): Promise<Kept> {
  if (requireSecret(name).parse(value) === undefined) {
    throw new Failure('config_invalid', `This value is not valid for ${name}.`, {
      details: { fix: `askd secrets set ${name}, and give the value as its provider shows it` },
    });
  }
  const kept = await openSecrets(place.paths).put({ [name]: value }, wanted);
  forgetInClear(place, [name]);
  return kept;
}

export const shownPlace = (kept: ListedSecret['kept']): string =>
  ({
    keyring: 'the keyring',
    file: 'a file that only you can read',
    config: 'the configuration file, in clear text',
    environment: 'the environment alone',
    unset: 'not set',
  })[kept ?? 'unset'];

export function keptIn(name: string, { place, reason }: Kept): string {
  const why = reason === undefined ? '' : ` (no keyring: ${reason})`;
  return place === 'keyring'
    ? `${name} is kept in the keyring.`
    : `${name} is kept in a file that only you can read${why}.`;
}

import { Failure } from '../../base/errors.ts';
import type { Paths } from '../../base/paths.ts';
import { callKeyring, KEYRING_MS } from './keyring.ts';
import { readSecretsFile, writeSecretsFile, type SecretsFile } from './secrets-file.ts';

export type SecretPlace = 'keyring' | 'file';
export type SecretValues = Readonly<Record<string, string>>;
export type Secrets = ReturnType<typeof openSecrets>;

/** The owner's secrets: in the platform's keyring if one answers, otherwise in a file that only the owner can read. */
export function openSecrets({ home, secrets: path }: Pick<Paths, 'home' | 'secrets'>) {
  const accountOf = (name: string) => `${home}: ${name}`;
  const namesIn = (file: SecretsFile, place: SecretPlace) =>
    Object.keys(file).filter((name) => 'keyring' in file[name]! === (place === 'keyring'));

  /** The secrets that can be read, and why the others cannot. Asks the keyring only if something is in it. */
  async function read(timeoutMs = KEYRING_MS): Promise<{ values: SecretValues; unreadable?: Unreadable }> {
    const file = readSecretsFile(path);
    const values = Object.fromEntries(
      Object.entries(file).flatMap(([name, kept]) => ('value' in kept ? [[name, kept.value]] : [])),
    );
    const names = namesIn(file, 'keyring');
    if (names.length === 0) return { values };
    const calls = names.map((name) => ({ do: 'get', account: accountOf(name) }) as const);
    const result = await callKeyring(calls, timeoutMs);
    if ('unavailable' in result) return { values, unreadable: { names, reason: result.unavailable } };
    const found = names.map((name, index) => [name, result.values[index] ?? undefined] as const);
    const lost = found.filter(([, value]) => value === undefined).map(([name]) => name);
    for (const [name, value] of found) if (value !== undefined) values[name] = value;
    return {
      values,
      ...(lost.length > 0 && { unreadable: { names: lost, reason: 'it has no such entry' } }),
    };
  }

  /**
   * Keeps them all in one place: the requested one, or else the platform's keyring if it answers. The old place is
   * emptied last, so a failure halfway loses nothing.
   */
  async function put(
    values: SecretValues,
    wanted?: SecretPlace,
  ): Promise<{ place: SecretPlace; reason?: string }> {
    const names = Object.keys(values);
    const reason = wanted === 'file' ? undefined : await putIntoKeyring(values);
    if (reason !== undefined && wanted === 'keyring') throw unavailable(reason);
    const place = wanted === 'file' || reason !== undefined ? 'file' : 'keyring';
    const before = readSecretsFile(path);
    const kept = names.map((name) => [
      name,
      place === 'keyring' ? { keyring: true } : { value: values[name]! },
    ]);
    writeSecretsFile(path, { ...before, ...(Object.fromEntries(kept) as SecretsFile) });
    const left = place === 'file' ? namesIn(before, 'keyring').filter((name) => names.includes(name)) : [];
    if (left.length > 0) await callKeyring(left.map((name) => ({ do: 'delete', account: accountOf(name) })));
    return { place, ...(reason !== undefined && { reason }) };
  }

  /** Reads them back before they count as stored; returns why that failed. */
  async function putIntoKeyring(values: SecretValues): Promise<string | undefined> {
    const entries = Object.entries(values);
    const result = await callKeyring([
      ...entries.map(([name, value]) => ({ do: 'set', account: accountOf(name), value }) as const),
      ...entries.map(([name]) => ({ do: 'get', account: accountOf(name) }) as const),
    ]);
    if ('unavailable' in result) return result.unavailable;
    const isKept = entries.every(([, value], index) => result.values[entries.length + index] === value);
    return isKept ? undefined : 'it returned a different value than it was given';
  }

  async function remove(names: readonly string[]): Promise<string[]> {
    const file = readSecretsFile(path);
    const removed = names.filter((name) => file[name] !== undefined);
    const entries = namesIn(file, 'keyring').filter((name) => names.includes(name));
    if (entries.length > 0) {
      const result = await callKeyring(entries.map((name) => ({ do: 'delete', account: accountOf(name) })));
      if ('unavailable' in result) throw unavailable(result.unavailable);
    }
    const rest = Object.entries(file).filter(([name]) => !names.includes(name));
    if (removed.length > 0) writeSecretsFile(path, Object.fromEntries(rest));
    return removed;
  }

  return {
    /** Where each is, without asking the keyring. */
    places(): Readonly<Record<string, SecretPlace>> {
      const file = readSecretsFile(path);
      const places = Object.keys(file).map(
        (name) => [name, 'keyring' in file[name]! ? 'keyring' : 'file'] as const,
      );
      return Object.fromEntries(places);
    },
    read,
    put,
    remove,
  };
}

export type Unreadable = { names: readonly string[]; reason: string };

function unavailable(reason: string): Failure {
  return new Failure('keyring_unavailable', `The keyring of this machine cannot be used: ${reason}.`, {
    details: { fix: 'unlock it and try again, or use a file: askd secrets migrate --to file' },
  });
}

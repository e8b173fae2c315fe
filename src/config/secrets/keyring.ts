import { entryFile } from '../../base/paths.ts';

export type KeyringCall =
  { do: 'get' | 'delete'; account: string } | { do: 'set'; account: string; value: string };
export type KeyringAnswer = { value: string | null } | { error: string };
export type KeyringResult = { values: readonly (string | null)[] } | { unavailable: string };

/** Long enough for a person to unlock it; nothing waits longer. */
export const KEYRING_MS = 30_000;

/** Carries out all calls, or says why the platform's keyring cannot be used. It prompts a person to unlock it once. */
export async function callKeyring(
  calls: readonly KeyringCall[],
  timeoutMs = KEYRING_MS,
): Promise<KeyringResult> {
  const { execa } = await import('execa');
  const { stdout, timedOut, failed, shortMessage } = await execa(
    process.execPath,
    [entryFile('src/config/secrets/keyring-worker.js')],
    { input: JSON.stringify(calls), timeout: timeoutMs, forceKillAfterDelay: 1000, reject: false },
  );
  if (timedOut) return { unavailable: `it is locked, or did not answer within ${timeoutMs / 1000} s` };
  if (failed) return { unavailable: shortMessage ?? 'it could not be asked' };
  const answers = JSON.parse(stdout) as KeyringAnswer[];
  const values: (string | null)[] = [];
  for (const answer of answers) {
    if ('error' in answer) return { unavailable: answer.error };
    values.push(answer.value);
  }
  return { values };
}

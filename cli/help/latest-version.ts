import { execa } from 'execa';
import { loadSettings, type Environment } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';

const TIMEOUT_MS = 20_000;

/** Asks npm, which knows the registry, the proxy and the certificates of this machine. */
export async function latestVersion(environment: Environment, signal: AbortSignal): Promise<string> {
  const { offline } = await loadSettings(environment);
  if (offline) throw new Failure('offline', 'askd is set to offline and does not check for updates.', FIX);
  const { env } = environment;
  const result = await execa('npm', ['view', 'askd', 'version'], {
    env,
    reject: false,
    timeout: TIMEOUT_MS,
    cancelSignal: signal,
  });
  const latest = result.stdout?.trim() ?? '';
  if (!result.failed && /^\d+\.\d+\.\d+/.test(latest)) return latest;
  const reason = /npm (?:error|ERR!) code (\S+)/.exec(result.stderr ?? '')?.[1] ?? result.code ?? 'no answer';
  throw new Failure('registry_failed', `npm did not report the latest version of askd (${reason}).`, {
    details: { fix: 'npm view askd version' },
  });
}

const FIX = { details: { fix: 'askd config unset offline' } };

/** Compares versions. A prerelease comes before its release. */
export function isNewer(latest: string, current: string): boolean {
  const [a, b] = [latest, current].map((text) => {
    const [numbers = '', pre] = text.split('-');
    return [...numbers.split('.').map(Number), pre === undefined ? 1 : 0];
  });
  const difference = (a ?? []).map((part, index) => part - (b?.[index] ?? 0)).find((each) => each !== 0);
  return (difference ?? 0) > 0;
}

import type { Finding } from '../../src/api/management/library.ts';
import { openSecrets } from '../../src/config/secrets/secrets.ts';
import { listSecrets, shownPlace, type ListedSecret } from '../config/secrets.ts';
import type { Check } from './check.ts';

const check = 'secrets';
const KEYRING_MS = 5000;

/** Where each secret is, and whether the keyring still returns what is stored in it. */
export const checkSecrets: Check = async (context) => {
  const secrets = listSecrets(context).filter(({ kept }) => kept !== null);
  if (secrets.length === 0) return [{ check, level: 'ok', message: 'none is set' }];
  const { unreadable } = await openSecrets(context.paths).read(KEYRING_MS);
  const findings = secrets.map(toFinding);
  if (unreadable === undefined) return findings;
  const message = `the keyring does not return ${unreadable.names.join(', ')}: ${unreadable.reason}`;
  const fix = 'unlock it, or askd secrets migrate --to file where it can be read';
  return [...findings, { check, level: 'problem', message, fix }];
};

function toFinding({ name, kept, variable }: ListedSecret): Finding {
  const over = variable === null || kept === 'environment' ? '' : `, and overridden by ${variable}`;
  const message = `${name} is in ${shownPlace(kept)}${over}`;
  if (kept === 'config') return { check, level: 'warning', message, fix: 'askd secrets migrate' };
  return { check, level: 'ok', message };
}

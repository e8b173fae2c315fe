import { text } from 'node:stream/consumers';
import { Entry } from '@napi-rs/keyring';
import type { KeyringAnswer, KeyringCall } from './keyring.ts';

/**
 * A separate process: a locked keyring may wait for a person as long as it likes, and only killing a process stops
 * that. Data goes through pipes.
 */
const calls = JSON.parse(await text(process.stdin)) as KeyringCall[];
const answers: KeyringAnswer[] = [];
try {
  for (const call of calls) answers.push({ value: carryOut(call) });
} catch (error) {
  // Further calls would prompt the person again.
  answers.push({ error: (error as Error).message });
}
process.stdout.write(JSON.stringify(answers));

function carryOut(call: KeyringCall): string | null {
  // Linux has a second keyring, the kernel's, which forgets everything at the next boot.
  const entry = new Entry('askd', call.account, { linux: { store: 'secret-service' } });
  if (call.do === 'get') return entry.getPassword();
  if (call.do === 'set') entry.setPassword(call.value);
  else entry.deletePassword();
  return null;
}

import { text } from 'node:stream/consumers';
import { Entry } from '@napi-rs/keyring';
import type { KeyringAnswer, KeyringCall } from './keyring.ts';

/**
 * A process of its own: a locked store may wait for a person for as long as it likes, and only ending a process ends
 * that. What it gets and gives goes through pipes.
 */
const calls = JSON.parse(await text(process.stdin)) as KeyringCall[];
const answers: KeyringAnswer[] = [];
try {
  for (const call of calls) answers.push({ value: carryOut(call) });
} catch (error) {
  // The rest would ask the person again.
  answers.push({ error: (error as Error).message });
}
process.stdout.write(JSON.stringify(answers));

function carryOut(call: KeyringCall): string | null {
  // Linux has a second store, the kernel's, which forgets at the next boot.
  const entry = new Entry('askd', call.account, { linux: { store: 'secret-service' } });
  if (call.do === 'get') return entry.getPassword();
  if (call.do === 'set') entry.setPassword(call.value);
  else entry.deletePassword();
  return null;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingFlags } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import { baseUrls } from '../../src/base/presence.ts';
import { createTestClock } from '../../src/base/test-clock.ts';
import { ACCOUNT_ID } from '../auth/account.ts';
import type { Services } from '../compose.ts';

export type TestRun = ReturnType<typeof openTestRun>;

/** The environment of every test daemon. It sends nothing to the network, and cannot be reached from there. */
const FLAGS: SettingFlags = {
  host: '127.0.0.1',
  port: 0,
  offline: true,
  webhooksAllowCidrs: ['127.0.0.0/8', '::1/128'],
  drainTimeoutMs: 0,
};

/** A temporary home that is deleted with the daemon, so that no test can touch a user's data. */
export function openTestRun(flags: SettingFlags, answers: string | undefined) {
  if (flags.host !== undefined)
    throw new Failure('invalid_value', 'A daemon for tests listens on 127.0.0.1: omit --host.');
  const home = mkdtempSync(join(tmpdir(), 'askd-test-daemon-'));
  const script = answers === undefined ? {} : { scriptedAnswers: join(home, 'answers.json') };
  if (script.scriptedAnswers) writeFileSync(script.scriptedAnswers, answers ?? '');
  return {
    home,
    clock: createTestClock(),
    flags: { ...FLAGS, ...script, ...flags },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/** Its standard input ties it to its parent: the daemon ends when that process does, however it ends. */
export function stopWithParent({ boot }: Pick<Services, 'boot'>): void {
  process.stdin.on('error', boot.requestStop).on('close', boot.requestStop).resume();
}

/** For the program that started it: one line of JSON. */
export function announceTest({ keys, boot, library, rootToken, settings }: Services): void {
  if (settings.scriptedAnswers !== '') library.bind('svc-chat-v1', 'scripted');
  const { id, key } = keys.create({
    accountId: ACCOUNT_ID,
    name: 'tests',
    scopes: ['chat', 'read', 'write'],
    expiresAt: null,
    isTest: true,
  });
  const { home } = settings.paths;
  const line = {
    ...baseUrls(boot.address()),
    api_key: key,
    key_id: id,
    root_token: rootToken.current(),
    home,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

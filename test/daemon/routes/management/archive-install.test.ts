import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { tarOf } from '../../../helpers/models/archives.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const body = Buffer.from('a package');
const sha256 = createHash('sha256').update(body).digest('hex');
const member = 'install/askd.tgz';
const file = { member, bytes: body.length, sha256 };

async function importOf(install: unknown, path = member) {
  const to = await startDaemon({ ASKD_OFFLINE: '1' });
  const archive = join(temporaryFolder(), 'askd.tar');
  const contents = { format: 'askd-archive', version: 1, models: [], bindings: [], files: [], install };
  const list = { path: 'askd-archive.json', body: Buffer.from(JSON.stringify(contents)) };
  writeFileSync(archive, tarOf([list, { path, body }]));
  const { text } = await to.call('POST', '/api/daemon/import-archive', { body: { path: archive } });
  const folder = join(to.home, 'models');
  return { text, left: existsSync(folder) ? readdirSync(folder) : [], home: readdirSync(to.home) };
}

test('the installer in an archive is verified by an import, and not unpacked', async () => {
  const { text, left } = await importOf([file]);
  expect(text).toContain('"state":"done"');
  expect(left).toEqual([]);
});

test.each([
  ['another hash', [{ ...file, sha256: '0'.repeat(64) }], member, 'install/askd.tgz does not match its hash'],
  ['another size', [{ ...file, bytes: 3 }], member, 'instead of'],
  ['another name', [file], '../../askd.db', 'instead of \\"install/askd.tgz\\"'],
  ['no hash', [{ member, bytes: 9 }], member, 'has no hash'],
  ['a name twice', [file, file], member, 'a file is listed twice'],
  ['something else than a list', { member }, member, 'a list is missing'],
])('a package with %s is refused', async (_what, install, path, reason) => {
  const { text, left } = await importOf(install, path);
  expect(text).toContain('archive_invalid');
  expect(text).toContain(reason);
  expect(left).toEqual([]);
});

test('a package that claims to be the file of a model is unpacked nowhere', async () => {
  const { text, left, home } = await importOf([{ ...file, model: 'bad', path: '../../planted' }]);
  expect(text).toContain('"state":"done"');
  expect([left, home.includes('planted')]).toEqual([[], false]);
});

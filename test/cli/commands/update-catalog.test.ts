import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edition } from '../../../models/catalog/edition.ts';
import { version } from '../../../src/base/version.ts';
import type { CatalogEntry, CatalogSource } from '../../../src/api/management/catalog.ts';
import { install, type Installation } from '../../helpers/daemon/installation.ts';
import { NEW_ENTRY, startCatalogServer, type Published } from '../../helpers/servers/catalog-server.ts';

const LONG = { timeout: 240_000 };

type Listed = { source: CatalogSource; problem: string | null; catalog: CatalogEntry[] };

const list = async ({ askd }: Installation) => (await askd(['list', '--available', '--json'])).json<Listed>();
const keptIn = ({ home }: Installation) => join(home, 'catalog.json');

async function beside() {
  const server = await startCatalogServer();
  return { server, installation: install(server.environment) };
}

test(
  'a newer signed catalogue is installed, listed with its origin, and kept across a restart',
  LONG,
  async () => {
    const { server, installation } = await beside();
    const { askd } = installation;
    const before = await askd(['list', '--available']);
    expect(before.stdout).toContain(
      `Catalogue ${edition.serial} of ${edition.issued}, the one that came with this askd.`,
    );
    expect(before.stdout).toMatch(/^bge-m3 .* no +embed$/m);
    server.publish(server.sign({}));
    const updated = await askd(['update', '--catalog']);
    expect([updated.exitCode, updated.stdout]).toEqual([
      0,
      expect.stringMatching(/catalogue +7 of 2026-12-01, signed by the key [0-9a-f]{16}\n/),
    ]);
    expect(updated.stdout).toMatch(/new +novel-1b\n/);
    expect(updated.stdout).toMatch(/no longer +.*qwen3\.5-4b/);
    expect(server.asked).toEqual([{ path: '/askd-catalog.json', authorization: undefined }]);
    await askd(['down']);
    const { source, catalog, problem } = await list(installation);
    expect(source).toEqual({
      serial: 7,
      issued: '2026-12-01',
      signed: { key: expect.stringMatching(/^[0-9a-f]{16}$/), expires: '2999-01-01' },
    });
    expect([catalog.map(({ id }) => id), problem]).toEqual([['novel-1b'], null]);
    expect(catalog[0]).toMatchObject({ why: NEW_ENTRY.why, is_compared: false });
    expect((await askd(['list', '--available'])).stdout).toMatch(
      /^Catalogue 7 of 2026-12-01, signed by the key [0-9a-f]{16}, until 2999-01-01\.$/m,
    );
    const again = await askd(['update', '--catalog', '--json']);
    expect(again.json()).toMatchObject({ schema: 'update-catalog/1', is_current: true, added: [] });
  },
);

test(
  'every catalogue that is not newer and genuine is refused with the reason, and changes nothing',
  LONG,
  async () => {
    const { server, installation } = await beside();
    const { askd } = installation;
    const genuine = server.sign({ serial: 7 });
    server.publish(genuine);
    expect((await askd(['update', '--catalog'])).exitCode).toBe(0);
    const stranger = generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();
    const entry = (fields: object): Published => ({ serial: 9, models: [{ ...NEW_ENTRY, ...fields }] });
    const file = (fields: object) => entry({ hub: [{ ...NEW_ENTRY.hub[0], ...fields }] });
    const cases: [string, number, string][] = [
      [genuine.replace('novel-1b', 'other-1b'), 9, 'changed after it was signed, or forged'],
      [server.sign({ serial: 9 }, stranger), 9, 'which this askd does not trust'],
      [server.sign({ serial: 6 }), 9, 'number 6 of 2026-12-01, older than number 7'],
      [
        server.sign({ serial: 7, models: [{ ...NEW_ENTRY, licence: 'GPL' }] }),
        9,
        'not the same as the one in use',
      ],
      [server.sign({ serial: 9, expires: '2020-01-02' }), 9, 'expired on 2020-01-02'],
      [
        server.sign({ serial: 9, schema: 2, needs: '9.1.0' }),
        3,
        `needs askd 9.1.0 or newer, and this is ${version}`,
      ],
      [genuine.slice(0, 200), 9, 'truncated, or not a catalogue'],
      ['{"format":"other"}', 9, 'It is not a catalogue of askd'],
      ['null', 9, 'It is not a catalogue of askd'],
      [' '.repeat(5 * 1024 * 1024), 9, 'larger than 4 MB'],
      [server.sign({ serial: 9, models: [] }), 9, 'it has no models'],
      [server.sign({ serial: 9, models: [null] }), 9, 'an entry is not an object'],
      [server.sign({ serial: 9, models: [NEW_ENTRY, NEW_ENTRY] }), 9, 'listed twice'],
      [server.sign(entry({ id: '../x' })), 9, 'is not an id'],
      [server.sign(entry({ engine: 'new' })), 9, 'an unknown engine'],
      [server.sign(file({ path: '../../evil' })), 9, 'an unusable address'],
      [server.sign(file({ sha256: 'short' })), 9, 'is not a sha256'],
    ];
    for (const [published, exit, reason] of cases) {
      server.publish(published);
      const { exitCode, stderr } = await askd(['update', '--catalog']);
      expect([reason, exitCode, stderr]).toEqual([reason, exit, expect.stringContaining(reason)]);
      expect(stderr).toContain('The current catalogue stays in use.');
    }
    expect(readFileSync(keptIn(installation), 'utf8')).toBe(genuine);
    expect((await list(installation)).source.serial).toBe(7);
  },
);

test(
  'a server that fails, breaks off or redirects endlessly is named, and nothing is kept',
  LONG,
  async () => {
    const { server, installation } = await beside();
    const { askd } = installation;
    const refused = async () => {
      const { exitCode, stderr } = await askd(['update', '--catalog']);
      return [exitCode, stderr];
    };
    expect(await refused()).toEqual([
      7,
      expect.stringMatching(/There is no catalogue at .*: it answered 404/),
    ]);
    server.answerWith((response) => void response.writeHead(302, { location: server.url }).end());
    expect(await refused()).toEqual([7, expect.stringContaining('redirects too often')]);
    server.answerWith((response) => void response.writeHead(503).end());
    expect(await refused()).toEqual([7, expect.stringContaining('answered 503')]);
    server.answerWith((response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"format"', () => response.destroy());
    });
    expect(await refused()).toEqual([7, expect.stringContaining('the connection was lost before its end')]);
    expect(existsSync(keptIn(installation))).toBe(false);
  },
);

test('the catalogue of this askd is used when the kept one was changed, or is older', LONG, async () => {
  const { server, installation } = await beside();
  const { askd } = installation;
  const file = server.sign({});
  server.publish(file);
  await askd(['update', '--catalog']);
  await askd(['down']);
  writeFileSync(keptIn(installation), file.replace('novel-1b', 'other-1b'));
  const changed = await list(installation);
  expect([changed.source.serial, changed.problem]).toEqual([
    edition.serial,
    expect.stringContaining('Its signature is wrong'),
  ]);
  expect((await askd(['list', '--available'])).stdout).toContain('The one that was downloaded is not used.');
  await askd(['down']);
  writeFileSync(keptIn(installation), server.sign({ serial: edition.serial }));
  const older = await list(installation);
  expect([older.source, older.problem]).toEqual([{ ...edition, signed: null }, null]);
});

test('offline no request is made, and the error names the command that changes it', LONG, async () => {
  const server = await startCatalogServer();
  const { askd } = install({ ...server.environment, ASKD_OFFLINE: '1' });
  const { exitCode, stderr } = await askd(['update', '--catalog']);
  expect([exitCode, stderr]).toEqual([7, expect.stringContaining('askd config unset offline')]);
  expect(server.asked).toEqual([]);
});

test('an askd that does not know where catalogues are published names the setting for it', LONG, async () => {
  const { askd } = install({});
  const { exitCode, stderr } = await askd(['update', '--catalog']);
  expect([exitCode, stderr]).toEqual([7, expect.stringContaining('askd config set catalog_url')]);
});

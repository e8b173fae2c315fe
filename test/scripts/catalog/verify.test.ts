import { expect, test } from 'vitest';
import { hubModel } from '../../../models/catalog/hub-model.ts';
import { verifyCatalog } from '../../../scripts/catalog/verify.ts';
import { sha256 } from '../../../scripts/hub/hub.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { collect } from '../../helpers/daemon/chat.ts';

test('a file that is pinned to a commit is compared there', async () => {
  const hub = await startHub();
  hub.add('org/repo', { 'a.gguf': Buffer.alloc(1000) });
  const revision = 'a'.repeat(40);
  const manifest = hubModel({
    ...{ id: 'm', name: 'M', engine: 'llama', tasks: ['chat'], services: [], tier: 'small', licence: 'MIT' },
    contextTokensMax: 1,
    hub: [{ role: 'model', repo: 'org/repo', path: 'a.gguf', revision, bytes: 1000 }],
    verified: {},
  });
  const [verdict] = await collect(
    verifyCatalog([manifest], { endpoint: hub.url }, new AbortController().signal),
  );
  expect([verdict?.problems, hub.asked[0]?.url]).toEqual([[], `/org/repo/resolve/${revision}/a.gguf`]);
});

test('a file that differs from the catalogue is named with both values', async () => {
  const hub = await startHub();
  const content = Buffer.alloc(12_000_000, 7);
  hub.add('org/repo', { 'a.gguf': content, 'b.gguf': content });
  const file = (path: string, bytes: number, hash?: string) => ({
    role: path,
    repo: 'org/repo',
    path,
    bytes,
    ...(hash && { sha256: hash }),
  });
  const manifest = hubModel({
    id: 'm',
    name: 'M',
    engine: 'llama',
    tasks: ['chat'],
    services: [],
    tier: 'small',
    licence: 'MIT',
    contextTokensMax: 1,
    hub: [
      file('a.gguf', 12_000_000, sha256(content)),
      file('b.gguf', 12_000_001, 'f'.repeat(64)),
      file('gone.gguf', 1),
    ],
    verified: { bytes: 'here', sha256: 'here' },
  });
  const verdicts = await collect(
    verifyCatalog([manifest], { endpoint: hub.url }, new AbortController().signal),
  );
  expect(verdicts.map(({ file: name, problems }) => [name, problems])).toEqual([
    ['org/repo/a.gguf', []],
    [
      'org/repo/b.gguf',
      [
        'its size is 12000000, the catalogue says 12000001',
        `its sha256 is ${sha256(content)}, not ${'f'.repeat(64)}`,
      ],
    ],
    ['org/repo/gone.gguf', [expect.stringContaining('has no file gone.gguf')]],
  ]);
});

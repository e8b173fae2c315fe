import { describe, expect, test } from 'vitest';
import { catalog } from '../../models/catalog.ts';
import { ENGINES } from '../../models/engines.ts';
import { chooseArtifact } from '../../src/library/choose-artifact.ts';
import { termsOf } from '../../src/library/licences.ts';
import { whyNotRunnable } from '../../src/library/runnable.ts';
import { SERVICE_MODELS } from '../../src/library/service-models.ts';
import { AVAILABLE_ENGINES, type EngineName } from '../../src/runtime/manifest.ts';

const downloadable = catalog.filter(({ hub }) => hub !== undefined);

test('every service model has a small and a standard artifact', () => {
  const tiersOf = (service: string) =>
    downloadable.filter(({ services }) => services.includes(service)).map(({ tier }) => tier);
  for (const { id } of SERVICE_MODELS)
    expect([id, tiersOf(id)]).toEqual([id, expect.arrayContaining(['small', 'standard'])]);
});

test('every id is unique, and none is the name of a service', () => {
  const ids = [...catalog.map(({ id }) => id), ...SERVICE_MODELS.map(({ id }) => id)];
  expect(new Set(ids).size).toBe(ids.length);
});

test('every artifact that is listed for a service can do its work', () => {
  const unfit = catalog.flatMap(({ id, services, tasks }) =>
    SERVICE_MODELS.filter(
      ({ id: service, task }) => services.includes(service) && !(task && tasks.includes(task)),
    ).map((service) => `${id} for ${service.id}`),
  );
  expect(unfit).toEqual([]);
});

describe.each(downloadable.map((manifest) => [manifest.id, manifest] as const))('%s', (_id, manifest) => {
  const { hub = [], verified = {} } = manifest;

  test('names its files exactly, each with one role', () => {
    expect(new Set(hub.map(({ role }) => role)).size).toBe(hub.length);
    for (const { repo, path, bytes, sha256 = 'f'.repeat(64) } of hub) {
      expect([repo, path, sha256]).toEqual([
        expect.stringMatching(/^[\w.-]+\/[\w.-]+$/),
        expect.stringMatching(/^[\w./-]+$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
      expect(bytes).toBeGreaterThan(0);
    }
    expect(manifest.bytes).toBe(hub.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('says in one sentence why it is listed', () => {
    expect(manifest.why).toMatch(/^[A-Z].{10,120}\.$/);
  });

  test('gives a source for each fact, and no source without a fact', () => {
    expect(Object.keys(verified).length).toBeGreaterThan(0);
    if (verified.sha256 !== undefined) expect(hub.some(({ sha256 }) => sha256 !== undefined)).toBe(true);
    if (verified.dimensions !== undefined) expect(manifest.embedding).toBeDefined();
    if (verified.memory !== undefined) expect(manifest.memory).toBeDefined();
    for (const source of Object.values(verified)) expect(source.length).toBeGreaterThan(5);
  });

  test('shows its terms when its licence is not an open one', () => {
    const isOpen = termsOf(manifest.licence.toLowerCase(), '') === undefined;
    expect(manifest.licenceTerms === undefined).toBe(isOpen);
  });
});

test('an engine is on the list exactly when it can be loaded', async () => {
  const { upstream, script, ...loadable } = ENGINES;
  // These run in the daemon.
  for (const load of [upstream, script])
    await expect(load()).rejects.toMatchObject({ code: 'engine_not_installed' });
  for (const [name, load] of Object.entries(loadable)) {
    if (AVAILABLE_ENGINES.includes(name as EngineName)) expect((await load()).name).toBe(name);
    else await expect(load()).rejects.toMatchObject({ code: 'engine_not_installed' });
  }
});

describe('the artifact for a service model', () => {
  const gigabytes = (amount: number) => ({ memoryBytes: amount * 1e9 });
  const chosen = (memory: number) =>
    chooseArtifact({ service: 'svc-chat-v1' }, catalog, gigabytes(memory)).artifact.id;

  test('is larger on a machine with more memory', () => {
    expect([2, 4, 8, 16, 32, 64].map(chosen)).toEqual([
      'qwen3.5-0.8b',
      'qwen3.5-0.8b',
      'qwen3.5-4b',
      'qwen3.5-4b',
      'gpt-oss-20b',
      'qwen3.6-35b-a3b',
    ]);
  });

  test('can be chosen by its tier, and the choice is explained', () => {
    const { artifact, reason } = chooseArtifact(
      { service: 'svc-chat-v1', tier: 'small' },
      catalog,
      gigabytes(64),
    );
    expect([artifact.id, reason]).toEqual(['qwen3.5-0.8b', 'the tier "small", as requested']);
    expect(chooseArtifact({ service: 'svc-chat-v1' }, catalog, gigabytes(8)).reason).toContain(
      'half of this machine',
    );
    expect(chooseArtifact({ service: 'svc-chat-v1' }, catalog, gigabytes(1)).reason).toContain(
      'may be too large',
    );
  });

  test('answers as fast as people read, once the machine was measured', () => {
    const withSpeed = (tokensPerSecond: number, isCalm = true) => {
      const measured = { weightBytes: 400e6, device: 'cpu', cardBytes: null, isCalm, measuredAt: 0 };
      const machine = { memoryBytes: 64e9, speed: { tokensPerSecond, ...measured } };
      return chooseArtifact({ service: 'svc-chat-v1' }, catalog, machine);
    };
    expect([200, 60, 30, 15, 1].map((speed) => withSpeed(speed).artifact.id)).toEqual([
      'qwen3.6-35b-a3b',
      'qwen3.6-35b-a3b',
      'qwen3.5-0.8b',
      'qwen3.5-0.8b',
      'qwen3.5-0.8b',
    ]);
    expect(withSpeed(200).reason).toMatch(/^the best that fits in half .*\(tier large\)$/);
    expect(withSpeed(30).reason).toContain('answers as fast as people read');
    expect(withSpeed(1).reason).toContain('the fastest that fits');
    // A busy machine seems slower than it is.
    expect(withSpeed(1, false).artifact.id).toBe('qwen3.6-35b-a3b');
  });

  test('is never one that no engine here can run', () => {
    for (const { id } of SERVICE_MODELS) {
      try {
        expect(
          whyNotRunnable(chooseArtifact({ service: id }, catalog, gigabytes(64)).artifact),
        ).toBeUndefined();
      } catch (error) {
        expect(error).toMatchObject({ code: 'engine_not_installed' });
      }
    }
  });
});

import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runnerEnvironment } from '../../../src/runtime/runner-environment.ts';

describe('what a runner starts with', () => {
  test("keeps llama.cpp's decodes on one libuv thread", () => {
    expect(runnerEnvironment('llama')).toMatchObject({ UV_THREADPOOL_SIZE: '1' });
    expect(runnerEnvironment('onnx')).not.toHaveProperty('UV_THREADPOOL_SIZE');
  });

  test('asks for large pages', () => {
    expect(runnerEnvironment('llama', {})).toMatchObject({
      GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
    });
  });

  test("leaves the user's own tuning as it is, and last, where it takes effect", () => {
    const given = 'glibc.malloc.hugetlb=0:glibc.malloc.arena_max=1';
    const { GLIBC_TUNABLES: tunables } = runnerEnvironment('llama', { GLIBC_TUNABLES: given });
    expect(tunables).toBe(`glibc.malloc.hugetlb=1:${given}`);
  });

  const zone = existsSync('/etc/localtime') ? linkOf('/etc/localtime') : '';
  test.skipIf(!zone.includes('/zoneinfo/'))('names the time zone, which its sandbox hides', () => {
    expect(zone.split('/zoneinfo/').at(-1)).toBe(runnerEnvironment('llama', {})['TZ']);
    expect(runnerEnvironment('llama', { TZ: 'Asia/Tokyo' })).toMatchObject({ TZ: 'Asia/Tokyo' });
  });

  test('is at most ten variables, and no secret of the daemon', () => {
    const names = ['PATH', 'LANG', 'TZ', 'LD_LIBRARY_PATH', 'CUDA_VISIBLE_DEVICES'];
    const more = ['GGML_VK_VISIBLE_DEVICES', 'HSA_OVERRIDE_GFX_VERSION', 'GLIBC_TUNABLES', 'HOME'];
    const secrets = ['ASKD_STRIPE_SECRET_KEY', 'HF_TOKEN', 'SSH_AUTH_SOCK', 'NODE_OPTIONS'];
    const env = Object.fromEntries([...names, ...more, ...secrets].map((name) => [name, 'given']));
    const kept = runnerEnvironment('llama', env, 'linux');
    expect(Object.keys(kept).toSorted()).toEqual([...names, ...more, 'UV_THREADPOOL_SIZE'].toSorted());
    expect(kept['HOME']).toBe('/tmp');
  });
});

function linkOf(path: string): string {
  return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : '';
}

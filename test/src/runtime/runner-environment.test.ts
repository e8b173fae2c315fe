import { describe, expect, test } from 'vitest';
import { runnerEnvironment } from '../../../src/runtime/runner-environment.ts';

describe('what a runner starts with', () => {
  test('keeps the decodes of llama.cpp on one thread of libuv', () => {
    expect(runnerEnvironment('llama')).toMatchObject({ UV_THREADPOOL_SIZE: '1' });
    expect(runnerEnvironment('onnx')).not.toHaveProperty('UV_THREADPOOL_SIZE');
  });

  test('asks for large pages', () => {
    expect(runnerEnvironment('llama', { glibcTunables: undefined })).toMatchObject({
      GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
    });
  });

  test('leaves what the user tunes as it is, and last, where it counts', () => {
    const given = 'glibc.malloc.hugetlb=0:glibc.malloc.arena_max=1';
    const { GLIBC_TUNABLES: tunables } = runnerEnvironment('llama', { glibcTunables: given });
    expect(tunables).toBe(`glibc.malloc.hugetlb=1:${given}`);
  });
});

import { expect, test } from 'vitest';
import { readModelStores } from '../../../src/config/model-stores.ts';

test.each([
  ['linux', ['/home/ada/.ollama/models', '/usr/share/ollama/.ollama/models'], '/home/ada/.cache/llama.cpp'],
  ['darwin', ['/home/ada/.ollama/models'], '/home/ada/Library/Caches/llama.cpp'],
] as const)(
  'on %s the models of other programs are where those programs keep them',
  (platform, ollama, cache) => {
    const stores = readModelStores({ env: {}, platform, home: '/home/ada' });
    expect([stores.ollama, stores.llamaCpp]).toEqual([ollama, cache]);
    expect(stores.jan[0]).toBe(
      platform === 'linux'
        ? '/home/ada/.local/share/Jan/data'
        : '/home/ada/Library/Application Support/Jan/data',
    );
    expect(stores.gpt4all).toMatch(/nomic\.ai.GPT4All$/);
  },
);

test('on Windows they are in the user profile and its application data', () => {
  const env = { USERPROFILE: '/users/ada', LOCALAPPDATA: '/users/ada/Local', APPDATA: '/users/ada/Roaming' };
  expect(readModelStores({ env, platform: 'win32' })).toMatchObject({
    ollama: ['/users/ada/.ollama/models'],
    llamaCpp: '/users/ada/Local/llama.cpp',
    jan: ['/users/ada/Roaming/Jan/data', '/users/ada/jan'],
    gpt4all: '/users/ada/Local/nomic.ai/GPT4All',
  });
});

test('their own variables lead elsewhere', () => {
  const env = { OLLAMA_MODELS: '/big/ollama', LLAMA_CACHE: '/big/llama' };
  expect(readModelStores({ env, platform: 'linux', home: '/home/ada' })).toMatchObject({
    ollama: ['/big/ollama'],
    llamaCpp: '/big/llama',
  });
});

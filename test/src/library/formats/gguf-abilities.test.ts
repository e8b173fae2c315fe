import { expect, test } from 'vitest';
import { ggufAbilities } from '../../../../src/library/formats/gguf-abilities.ts';
import type { GgufHeader } from '../../../../src/library/formats/gguf-header.ts';

const CLS_POOLING = 2;

function header(architecture: string, poolingType?: number): GgufHeader {
  return {
    architecture,
    contextTokensMax: 2048,
    embeddingLength: 64,
    layers: 3,
    shape: {
      cacheElementsPerToken: 128,
      window: { tokens: 0, elementsPerToken: 0 },
      ...{ heads: 2, embeddingLength: 64, feedForwardLength: 128, vocabularyTokens: 1000 },
    },
    ...(poolingType !== undefined && { poolingType }),
  };
}

test.each(['llama', 'qwen3moe', 'mamba2', 'granitehybrid', 'gpt-oss'])('%s can chat', (architecture) => {
  expect(ggufAbilities(header(architecture))?.tasks).toContain('chat');
});

test.each(['bert', 'modern-bert', 'neo-bert', 'eurobert', 'nomic-bert', 'jina-bert-v2', 'gemma-embedding'])(
  '%s embeds and never chats',
  (architecture) => {
    expect(ggufAbilities(header(architecture, CLS_POOLING))?.tasks).toEqual(['embed', 'rerank']);
    expect(ggufAbilities(header(architecture))).toBeUndefined();
  },
);

test.each([
  ...['clip', 't5', 't5encoder', 'wavtokenizer-dec', 'pockettts', 'qwen3tts'],
  ...['dream', 'llada', 'llada-moe', 'rnd1'],
])('%s is named as something askd cannot run', (architecture) => {
  expect(ggufAbilities(header(architecture))).toBeUndefined();
});

test.each(['eagle3', 'dflash', 'gemma4-assistant', 'gptj'])(
  '%s drafts for another model or cannot be loaded, so it cannot chat',
  (architecture) => {
    expect(ggufAbilities(header(architecture))).toBeUndefined();
  },
);

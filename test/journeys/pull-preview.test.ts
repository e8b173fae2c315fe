import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { writeSplitModel } from '../../scripts/fixtures/split-model.ts';
import type { PullAnswer } from '../../src/api/management/library.ts';
import { install } from '../helpers/daemon/installation.ts';
import { scriptedModel } from '../helpers/models/models.ts';
import { startHub } from '../helpers/servers/hub.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const QWEN = {
  architectures: ['Qwen3ForCausalLM'],
  torch_dtype: 'bfloat16',
  max_position_embeddings: 40_960,
  ...{ num_hidden_layers: 2, hidden_size: 64, num_attention_heads: 4, num_key_value_heads: 2, head_dim: 16 },
  ...{ intermediate_size: 128, vocab_size: 1000 },
};
const CHATML = '{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}';
const CACHE_AND_BUFFERS = 2 * 2 * 2 * 16 * 8192 * 2 + (1000 + 2 * 128 + 8 * 64) * 512 * 4 + 8192 * 512 * 2;
const RUNNER = 110_000_000;

async function besideHub(repositories: Record<string, Record<string, Buffer | string>>) {
  const hub = await startHub();
  for (const [name, files] of Object.entries(repositories)) hub.add(name, files);
  const { askd } = install({ ...hub.environment(temporaryFolder()), ASKD_DOWNLOAD_RETRY_MS: '5' });
  const previewOf = async (model: string) => {
    const run = await askd(['pull', '--dry-run', '--json', model]);
    return { ...run, preview: run.json<PullAnswer>().preview };
  };
  return {
    hub,
    askd,
    previewOf,
    sent: () => hub.served.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

test('a split model is described by the header of its first part and the sizes of all', async () => {
  const folder = temporaryFolder();
  const first = await writeSplitModel(folder, { architecture: 'llama', stem: 'tiny-F32' });
  const parts = [first, first.replace('-00001-', '-00002-')];
  const files = Object.fromEntries(parts.map((path) => [basename(path), readFileSync(path)]));
  const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
  const { hub, askd, previewOf } = await besideHub({
    'someone/split-GGUF': files,
    'someone/half-GGUF': { [basename(first)]: readFileSync(first) },
  });
  const { preview, exitCode } = await previewOf('hf:someone/split-GGUF');
  expect([exitCode, preview]).toMatchObject([0, { format: 'gguf', files: 2, bytes, obstacle: null }]);
  expect(preview?.header).toMatchObject({ architecture: 'llama', parameters: null });
  expect(hub.served.map(({ path }) => path)).toEqual([`/someone/split-GGUF/${basename(first)}`]);
  const { stdout } = await askd(['pull', '--dry-run', 'hf:someone/split-GGUF']);
  expect(stdout).toMatch(
    /tiny-F32-00001-of-00002\.gguf, [\d.]+ \w+ in 2 files, licence apache-2\.0\n {2}llama,/,
  );

  const half = await askd(['pull', 'hf:someone/half-GGUF']);
  expect(half.stderr).toContain('one of 2 parts');
  expect(half.stderr).toContain('Missing: tiny-F32-00002-of-00002.gguf');
});

test('a server without ranges gives the header too: the request ends once it is known', async () => {
  const content = Buffer.alloc(20_000_000);
  readFileSync((await scriptedModel('From the hub.')).path).copy(content);
  const { hub, askd, sent } = await besideHub({ 'someone/tiny-GGUF': { 'tiny-Q4_K_M.gguf': content } });
  hub.fail(/store.*tiny/, { kind: 'ignore-range' });
  const { stdout, exitCode } = await askd(['pull', '--dry-run', 'hf:someone/tiny-GGUF']);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('context 131,072 tokens')]);
  expect(stdout).toContain('the server does not support range requests, so the first 65536 bytes were read');
  expect(sent()).toBeLessThan(content.length);
});

test('a repository of safetensors is described by its configuration, and the reason why it is refused', async () => {
  const { askd, previewOf, sent, hub } = await besideHub({
    'someone/qwen-tiny': {
      'config.json': JSON.stringify(QWEN),
      'tokenizer_config.json': JSON.stringify({ chat_template: CHATML }),
      'model-00001-of-00002.safetensors': Buffer.alloc(3_000_000),
      'model-00002-of-00002.safetensors': Buffer.alloc(1_000_000),
      'consolidated.safetensors': Buffer.alloc(4_000_000),
    },
  });
  const { preview, exitCode, stderr } = await previewOf('hf:someone/qwen-tiny');
  expect(preview).toEqual({
    ...{ artifact: 'hf:someone/qwen-tiny', licence: 'apache-2.0', format: 'safetensors' },
    ...{ files: 2, bytes: 4_000_000, note: null, obstacle: expect.stringContaining('no GGUF file') },
    header: {
      ...{ architecture: 'Qwen3ForCausalLM', quantization: 'BF16', parameters: '2.0M' },
      ...{ context_tokens_max: 40_960, tasks: [], template: 'chatml', fits: true },
      ...{ memory_bytes: 4_000_000 + CACHE_AND_BUFFERS + RUNNER, memory_context_tokens: 8192 },
    },
  });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('askd search qwen-tiny')]);
  expect(sent()).toBe(0);

  const refused = await askd(['pull', 'hf:someone/qwen-tiny']);
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('weights in safetensors only');
  expect(hub.served).toEqual([]);
});

test.each([
  [
    'an ONNX folder that askd can import',
    {
      'config.json': JSON.stringify({ model_type: 'bert', architectures: ['BertModel'], hidden_size: 384 }),
      'tokenizer_config.json': JSON.stringify({ model_max_length: 512 }),
      'onnx/model.onnx': Buffer.alloc(900),
    },
    {
      format: 'onnx',
      header: { architecture: 'BertModel', context_tokens_max: 512, tasks: ['embed', 'rerank'] },
    },
    'askd import',
  ],
  [
    'weights that say nothing of themselves',
    { 'pytorch_model.bin': Buffer.alloc(500) },
    { format: 'other', header: null, note: 'it has no config.json', bytes: 500 },
    'weights in PyTorch only',
  ],
  [
    'a configuration with nothing usable in it',
    {
      'config.json': '{"architectures":7,"model_type":["x"],"vocab_size":"many","torch_dtype":"constructor"}',
      'model.safetensors': Buffer.alloc(700),
    },
    { header: { architecture: '', quantization: '', parameters: null, memory_bytes: null, fits: null } },
    'askd search',
  ],
  [
    'a quantized model without a stated precision',
    {
      'config.json': JSON.stringify({ ...QWEN, quantization_config: { quant_method: 'awq', bits: 4 } }),
      'chat_template.jinja': '{{ messages }}',
      'model.safetensors': Buffer.alloc(700),
    },
    { header: { quantization: 'AWQ 4-bit', parameters: null, template: 'own' } },
    'askd search',
  ],
  [
    'no weights at all',
    { 'README.md': '# none' },
    { files: 0, bytes: 0 },
    'no weights in a format that askd knows',
  ],
])('the contents of a repository are described: %s', async (_what, files, expected, reason) => {
  const { askd, previewOf } = await besideHub({ 'someone/thing': files });
  const { preview, exitCode } = await previewOf('hf:someone/thing');
  expect([exitCode, preview]).toMatchObject([2, expected]);
  const { stdout, stderr } = await askd(['pull', '--dry-run', 'hf:someone/thing']);
  expect(stdout).toContain('hf:someone/thing');
  expect(stderr).toContain(reason);
});

import { describe, expect, test, vi } from 'vitest';
import { firstSet } from '../../../cli/models/first-run/findings.ts';
import type { RecommendedModel } from '../../../src/api/management/recommend.ts';
import { startCli } from '../../helpers/terminal/cli.ts';

const model = (service: string, artifact: string, change: Partial<RecommendedModel> = {}) => ({
  service,
  artifact,
  name: artifact,
  reason: 'the best',
  bytes: 1e9,
  memory_bytes: 1e9,
  licence: 'Apache-2.0',
  licence_terms: null,
  expected_tokens_per_second: null,
  measured_tokens_per_second: null,
  is_installed: false,
  is_bound: false,
  ...change,
});

describe('the models for a first run', () => {
  const chosen = (models: RecommendedModel[], diskFreeBytes = 1e10) =>
    firstSet({
      models,
      machine: { memory_bytes: 1e10, for_models_bytes: 5e9, disk_free_bytes: diskFreeBytes, speed: null },
      download_bytes: 0,
      fits_on_disk: true,
    }).map(({ artifact }) => artifact);
  const chat = model('svc-chat-v1', 'talker');
  const embed = model('svc-embed-v1', 'embedder');

  test('are the one for chat, then the one for embeddings, and none for other services', () => {
    expect(chosen([embed, model('svc-image-v1', 'painter'), chat])).toEqual(['talker', 'embedder']);
  });

  test('fit on the disk together', () => {
    expect(chosen([embed, chat], 1.5e9)).toEqual(['talker']);
    expect(chosen([embed, chat], 0.5e9)).toEqual([]);
  });

  test('have no terms to accept and are not installed yet', () => {
    const terms = { summary: 'no', url: 'https://example.com' };
    expect(chosen([{ ...chat, is_installed: true }, embed])).toEqual(['embedder']);
    expect(chosen([chat, { ...embed, licence_terms: terms }])).toEqual(['talker']);
  });
});

test('Ctrl-D while the computer is being examined leaves without a choice', async () => {
  const cli = startCli([]);
  await vi.waitFor(() => expect(cli.written().stderr).toContain('Welcome to askd'), 20_000);
  cli.type('\u0004');
  expect(await cli.exit).toBe(130);
  expect(cli.modes.at(-1)).toBe(false);
});

import { join } from 'node:path';
import type { ParseError } from 'jsonc-parser';
import { Failure } from '../../src/base/errors.ts';
import type { Client, Server } from './client.ts';

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** It reads the key from an environment variable named after the provider. */
export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  program: 'zed',
  install: 'https://zed.dev/download',
  contextTokensMin: 16_384,
  launch: (server, { config }) => ({
    args: [],
    env: { ASKD_API_KEY: server.key },
    file: { path: join(config, 'zed', 'settings.json'), change: (before) => withProvider(before, server) },
  }),
};

/** The settings are JSON with comments, which are kept. */
async function withProvider(
  before: string | undefined,
  { baseUrl, model, contextTokens }: Server,
): Promise<string> {
  const { applyEdits, modify, parse } = await import('jsonc-parser');
  const text = before === undefined || before.trim() === '' ? '{}\n' : before;
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw unreadable();
  const capabilities = { tools: true, images: false, parallel_tool_calls: true, prompt_cache_key: false };
  const available = [{ name: model, display_name: model, max_tokens: contextTokens, capabilities }];
  const provider = { api_url: baseUrl, available_models: available };
  return applyEdits(text, modify(text, ['language_models', 'openai_compatible', 'askd'], provider, FORMAT));
}

function unreadable(): Failure {
  return new Failure('config_invalid', "Zed's settings.json is not valid JSON with comments.", {
    details: { fix: 'correct it in Zed (zed: open settings), then try again' },
  });
}

import { Failure } from '../../base/errors.ts';

/** `hf:org/repo`, with `@revision`, and with `:quant` or `/path/of/a/file`. */
export type HubReference = { repo: string; revision: string | undefined; quant?: string; path?: string };

const FORM = /^([\w.-]+\/[\w.-]+?)(?:@([\w.-]+(?:\/[\w.-]+)*?))?(?::([\w.-]+)|\/([^\s].*))?$/;

export function isHubReference(text: string): boolean {
  return text.startsWith('hf:');
}

export function parseHubReference(text: string): HubReference {
  const found = FORM.exec(text.slice('hf:'.length));
  const [, repo, revision, quant, path] = found ?? [];
  if (repo === undefined) {
    throw new Failure(
      'invalid_value',
      `"${text}" is not a model of the hub. Write hf:org/repo, hf:org/repo:Q4_K_M or hf:org/repo/file.gguf`,
      { param: 'model' },
    );
  }
  return { repo, revision, ...(quant !== undefined && { quant }), ...(path !== undefined && { path }) };
}

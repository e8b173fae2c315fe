import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { publicKeyOf, signCatalog } from '../../../src/library/catalog/signature.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';

export type Published = {
  schema?: number;
  needs?: string;
  serial?: number;
  issued?: string;
  expires?: string;
  models?: readonly (Partial<ModelManifest> | null)[];
};

export const NEW_ENTRY = {
  ...{ id: 'novel-1b', name: 'Novel 1B', why: 'A model of later than this askd.', engine: 'llama' as const },
  ...{ tasks: ['chat' as const], services: ['svc-chat-v1'], tier: 'small' as const, licence: 'MIT' },
  contextTokensMax: 2048,
  hub: [{ role: 'model', repo: 'someone/novel-GGUF', path: 'novel.gguf', bytes: 1_000_000 }],
  verified: {},
};

/** Publishes catalogues like askd's releases, signed with its own key. */
export async function startCatalogServer() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  let respond = (response: ServerResponse): void => void response.writeHead(404).end();
  const asked: { path: string; authorization: string | undefined }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, authorization: headers.authorization });
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/askd-catalog.json`;

  const sign = (published: Published, pem = privatePem): string =>
    signCatalog(
      JSON.stringify({
        ...{ schema: 1, needs: '0.1.0', serial: 7, issued: '2026-12-01', expires: '2999-01-01' },
        models: [NEW_ENTRY],
        ...published,
      }),
      pem,
    );
  const publish = (file: string): void => {
    respond = (response) => void response.end(file);
  };

  return {
    url,
    asked,
    sign,
    publish,
    answerWith: (answer: (response: ServerResponse) => void) => void (respond = answer),
    environment: {
      ASKD_CATALOG_URL: url,
      ASKD_CATALOG_KEYS: publicKeyOf(privatePem),
      ASKD_DOWNLOAD_RETRY_MS: '1',
    },
  };
}

import { join } from 'node:path';
import { Failure } from '../../src/base/errors.ts';
import type { Client, ConfigFile, Folders, Server } from './client.ts';

const NAME = 'askd';

/** The extension for VS Code and JetBrains reads a file; the user starts the editor. */
export const continueDev: Client = {
  name: 'continue',
  title: 'Continue',
  program: 'code',
  install: 'code --install-extension Continue.continue',
  contextTokensMin: 8192,
  certificates: 'NODE_EXTRA_CA_CERTS',
  launch: (server, folders) => ({ args: [], env: {}, file: configFile(server, folders) }),
};

/** Reads the same file if it is named; otherwise it asks the user to sign in. */
export const continueCli: Client = {
  name: 'cn',
  title: "Continue's command line",
  program: 'cn',
  install: 'npm install -g @continuedev/cli',
  contextTokensMin: 8192,
  certificates: 'NODE_EXTRA_CA_CERTS',
  launch(server, folders) {
    const file = configFile(server, folders);
    return { args: ['--config', file.path], env: {}, file };
  },
};

function configFile(server: Server, { home }: Folders): ConfigFile {
  return {
    path: join(home, '.continue', 'config.yaml'),
    change: (before) => withModel(before ?? 'name: Local\nversion: 1.0.0\nschema: v1\n', server),
  };
}

/** Changes one entry of the model list and keeps everything else, including comments. */
async function withModel(text: string, server: Server): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import('yaml');
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) throw unreadable();
  const models = document.get('models');
  if (models !== undefined && models !== null && !isSeq(models)) throw unreadable();
  const others = isSeq(models)
    ? models.items.filter((item) => !(isMap(item) && item.get('name') === NAME))
    : [];
  const entry = document.createNode({
    name: NAME,
    provider: 'openai',
    model: server.model,
    apiBase: server.baseUrl,
    apiKey: server.key,
    roles: ['chat', 'edit', 'apply'],
    capabilities: ['tool_use'],
    defaultCompletionOptions: { contextLength: server.contextTokens },
  });
  if (isSeq(models)) models.items = [...others, entry];
  else document.set('models', document.createNode([entry]));
  return document.toString();
}

function unreadable(): Failure {
  return new Failure(
    'config_invalid',
    "Continue's config.yaml is not a valid YAML mapping with a list of models.",
    {
      details: {
        fix: 'correct ~/.continue/config.yaml; askd launch continue --print shows the entry to add',
      },
    },
  );
}

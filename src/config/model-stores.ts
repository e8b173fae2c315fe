import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where other programs on this machine keep their models, on Linux, macOS and Windows. */
export type ModelStores = ReturnType<typeof readModelStores>;

type Given = { env: NodeJS.ProcessEnv; platform?: NodeJS.Platform; home?: string };

export function readModelStores({ env, platform = process.platform, home = homeOf(env, platform) }: Given) {
  const data = dataFolders(env, platform, home);
  return {
    ollama: env['OLLAMA_MODELS']
      ? [env['OLLAMA_MODELS']]
      : [
          join(home, '.ollama', 'models'),
          ...(platform === 'linux' ? ['/usr/share/ollama/.ollama/models'] : []),
        ],
    lmStudio: {
      /** Contains the path of its folder if that is in neither usual place. */
      pointer: join(home, '.lmstudio-home-pointer'),
      homes: [join(home, '.lmstudio'), join(home, '.cache', 'lm-studio')],
    },
    llamaCpp: env['LLAMA_CACHE'] || join(data.cache, 'llama.cpp'),
    jan: [join(data.jan, 'Jan', 'data'), join(home, 'jan')],
    gpt4all: join(data.local, 'nomic.ai', 'GPT4All'),
  };
}

function homeOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir();
}

function dataFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string) {
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
    return { local, cache: local, jan: env['APPDATA'] || join(home, 'AppData', 'Roaming') };
  }
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support');
    return { local: support, cache: join(home, 'Library', 'Caches'), jan: support };
  }
  const local = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
  return { local, cache: env['XDG_CACHE_HOME'] || join(home, '.cache'), jan: local };
}

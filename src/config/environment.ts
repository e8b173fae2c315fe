import { resolve } from 'node:path';
import { defaultHome, homePaths, type Paths } from '../base/paths.ts';
import { withCurrentVariables } from './former-names.ts';

/** Reads the environment once; nothing else in the program does. */
export function readEnvironment(processEnv: NodeJS.ProcessEnv = process.env) {
  const env = withCurrentVariables(processEnv);
  return {
    env,
    home: env['ASKD_HOME'],
    apiKey: env['ASKD_API_KEY'],
    baseUrl: env['ASKD_BASE_URL'],
    noColor: Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb',
    hasScreen: hasScreen(env),
    showsLinks: showsLinks(env),
    /** Nobody is there to answer a prompt. */
    isCi: !/^(0|false)?$/i.test(env['CI'] ?? ''),
    isScreenReader: env['INK_SCREEN_READER'] === 'true',
    glibcTunables: env['GLIBC_TUNABLES'],
    /** Threads for what libuv does in the background. */
    poolThreads: Number(env['UV_THREADPOOL_SIZE'] ?? 4),
    /** The script of a test daemon, as JSON. */
    testAnswers: env['ASKD_TEST_ANSWERS'],
  };
}

/** Whether the user would see a browser that is opened here. */
function hasScreen(env: NodeJS.ProcessEnv): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return !env['SSH_CONNECTION'];
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

const SHOWS_LINKS = /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|tabby)$/;
const VTE_SINCE = 5000;

/** Whether the terminal is known to show hyperlinks (OSC 8). `FORCE_HYPERLINK` overrides it. */
function showsLinks(env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_HYPERLINK'];
  if (forced) return !/^(0|false)$/i.test(forced);
  const { TERM = '', TERM_PROGRAM = '' } = env;
  if (/^(?:dumb|linux|screen|tmux)/.test(TERM)) return false;
  return (
    /kitty|alacritty|ghostty|foot/.test(TERM) ||
    SHOWS_LINKS.test(TERM_PROGRAM) ||
    Boolean(env['WT_SESSION'] || env['KONSOLE_VERSION']) ||
    Number(env['VTE_VERSION'] ?? 0) >= VTE_SINCE
  );
}

export type Environment = ReturnType<typeof readEnvironment>;

export function resolvePaths(environment: Pick<Environment, 'env' | 'home'>): Paths {
  const { env, home } = environment;
  const folders = {
    ...(env['XDG_DATA_HOME'] && { xdgDataHome: env['XDG_DATA_HOME'] }),
    ...(env['LOCALAPPDATA'] && { localAppData: env['LOCALAPPDATA'] }),
  };
  return homePaths(resolve(home || defaultHome(folders)));
}

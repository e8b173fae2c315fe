const COMPILER = {
  linux: 'sudo apt-get install build-essential python3 (or the equivalent for your distribution)',
  darwin: 'xcode-select --install',
  win32:
    'winget install Microsoft.VisualStudio.BuildTools (with the C++ workload), and Python from python.org',
};

const AGAIN = 'npm start';
const COMPILED = 'better-sqlite3 has no prebuilt binary that could be downloaded, so it is compiled, and';

/** What npm and node-gyp print, and what it means. The first match is the cause. */
const CAUSES = [
  {
    sign: /not find any Python installation/,
    says: ({ compiler }) => `${COMPILED} no Python was found. Install it: ${compiler}`,
  },
  {
    sign: /not found: make|make: not found|(g\+\+|c\+\+|cc1plus)['":]* (not found|No such file)|find VS/,
    says: ({ compiler }) => `${COMPILED} no C++ compiler was found. Install one: ${compiler}`,
  },
  {
    sign: /gyp http GET \S+headers[\s\S]*gyp ERR! configure error/,
    says: () =>
      `${COMPILED} Node's headers could not be downloaded from nodejs.org. ` +
      `With headers on this machine: npm_config_nodedir=/path/to/node ${AGAIN}`,
  },
  {
    sign: /gyp ERR! build error/,
    says: ({ compiler }) => `${COMPILED} the compiler failed. A newer one may help: ${compiler}`,
  },
  {
    sign: /ENOSPC/,
    says: () => `The disk is full. Packages and the build take 2 GB; make room, then: ${AGAIN}`,
  },
  {
    sign: /npm (error|ERR!) code (ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ERR_SOCKET_TIMEOUT)/,
    says: () => `The npm registry could not be reached. Check the address and the proxy: npm config list`,
  },
  {
    sign: /npm (error|ERR!) code (EACCES|EPERM)/,
    says: () => `This folder cannot be written to. Clone askd to a folder of your own, then: ${AGAIN}`,
  },
];

/** The cause of a failed install and its fix in one line, or nothing if the output shows neither. */
export function explainInstall(output, platform = process.platform) {
  const compiler = COMPILER[platform] ?? 'a C++ compiler, make and Python 3';
  return CAUSES.find(({ sign }) => sign.test(output))?.says({ compiler });
}

/** The oldest Node that runs askd, as in package.json. */
export const NODE_MIN = '20.19';

export const SCRIPT = `#!/bin/sh
# Installs askd: sh install/install.sh [ARCHIVE] [--prefix FOLDER]
if ! command -v node >/dev/null 2>&1; then
  echo "askd needs Node.js ${NODE_MIN} or later, and there is no node on this machine's PATH." >&2
  echo "Copy it here too: https://nodejs.org. Nothing was installed." >&2
  exit 1
fi
exec node "$(dirname "$0")/install.mjs" "$@"
`;

export const SCRIPT_OF_WINDOWS = '@node "%~dp0install.mjs" %*\r\n';

type Facts = {
  version: string;
  platform: string;
  libc: string | null;
  engines: readonly string[];
  archive: string;
};

export function readmeOf({ version, platform, libc, engines, archive }: Facts): string {
  const machine = `${platform}${libc === null ? '' : ` (${libc})`}`;
  const install =
    process.platform === 'win32'
      ? ['tar -xf ARCHIVE install', 'install\\install.cmd ARCHIVE']
      : ['tar -xf ARCHIVE install', 'sh install/install.sh ARCHIVE'];
  return `askd ${version} for ${machine}${engines.length === 0 ? '' : `, with the engines ${engines.join(', ')}`}

This folder installs askd on a machine without a network. The machine needs Node.js ${NODE_MIN} or later, and tar. With
the archive ${archive} in the current folder:

${install.map((line) => `  ${line.replace('ARCHIVE', archive)}`).join('\n')}

If it was written in parts, they need not be joined:

  cat ${archive}.[0-9]* | tar -xf - install
  sh install/install.sh ${archive}

askd goes into ~/.local, or into the folder after --prefix: its files into lib/askd, its programs into bin. Then askd
import takes the models of the archive. An earlier askd in that place is stopped and replaced; your data is elsewhere.

To remove it: askd uninstall, then delete lib/askd, bin/askd and bin/askd-daemon.
`;
}

/** The C library that native packages were built for; null if there is only one. */
export function libcOf(): string | null {
  if (process.platform !== 'linux') return null;
  const { report } = process as unknown as {
    report: { excludeNetwork: boolean; getReport(): { header: { glibcVersionRuntime?: string } } };
  };
  // Otherwise it would look up the host names of all connections.
  report.excludeNetwork = true;
  const { glibcVersionRuntime: glibc } = report.getReport().header;
  return glibc === undefined ? 'musl' : `glibc ${glibc}`;
}

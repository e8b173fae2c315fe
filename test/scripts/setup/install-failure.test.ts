import { expect, test } from 'vitest';
// @ts-expect-error Runs before anything is compiled, so it is plain JavaScript.
import { explainInstall } from '../../../scripts/setup/install-failure.js';

const explain = explainInstall as (output: string, platform?: string) => string | undefined;

/** What npm 10 and node-gyp 12 printed on machines that lacked one thing each. */
const SEEN = {
  headers: `npm error command sh -c prebuild-install || node-gyp rebuild --release
npm error prebuild-install warn install getaddrinfo ENOTFOUND github.com
npm error gyp info it worked if it ends with ok
npm error gyp http GET https://nodejs.org/download/release/v20.20.2/node-v20.20.2-headers.tar.gz
npm error gyp WARN install got an error, rolling back install
npm error gyp ERR! configure error
npm error gyp ERR! stack Error: This is most likely not a problem with node-gyp or the package itself and
npm error gyp ERR! stack is related to network connectivity.`,
  python: `npm error prebuild-install warn install getaddrinfo ENOTFOUND github.com
npm error gyp ERR! configure error
npm error gyp ERR! stack Error: Could not find any Python installation to use`,
  make: `npm error gyp ERR! build error
npm error gyp ERR! stack Error: not found: make`,
  compiler: `npm error make: g++: No such file or directory
npm error gyp ERR! build error
npm error gyp ERR! stack Error: \`make\` failed with exit code: 2`,
  registry: `npm error code ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/better-sqlite3 failed, reason: connect ECONNREFUSED 127.0.0.1:9`,
  disk: 'npm error code ENOSPC\nnpm error nospc There appears to be insufficient space on your system',
};

test.each([
  ['headers', /Node's headers could not be downloaded.*npm_config_nodedir=/],
  ['python', /no Python was found. Install it: sudo apt-get install build-essential python3/],
  ['make', /no C\+\+ compiler was found. Install one: sudo apt-get install build-essential/],
  ['compiler', /no C\+\+ compiler was found/],
  ['registry', /The npm registry could not be reached.*npm config list/],
  ['disk', /The disk is full.*npm start/],
] as const)('a failed install for lack of %s is explained in one line with its fix', (lack, line) => {
  const explained = explain(SEEN[lack], 'linux');
  expect(explained).toMatch(line);
  expect(explained).not.toContain('\n');
});

test('the compiler is named for the system where it is missing', () => {
  expect(explain(SEEN.make, 'darwin')).toContain('xcode-select --install');
  expect(explain(SEEN.make, 'win32')).toContain('BuildTools');
});

test('an unknown failure gets no explanation', () => {
  expect(explain('npm error code E404')).toBeUndefined();
});

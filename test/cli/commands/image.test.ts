import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { announce, runCli, type CliOptions } from '../../helpers/terminal/cli.ts';
import { installImageModel, noiseImageModel } from '../../helpers/models/pictures.ts';

const SLOW_MS = 120_000;
/** No test reads a terminal's name from the environment of the test run. */
const KITTY = { TERM: 'xterm-kitty' };
const ITERM = { TERM_PROGRAM: 'iTerm.app' };

describe('askd image', { timeout: SLOW_MS }, () => {
  let daemon: TestDaemon;
  let folder: string;
  const askd = (args: readonly string[], options: CliOptions = {}) =>
    runCli(['image', ...args], { home: daemon.home, ...options });

  beforeAll(async () => {
    daemon = await openDaemon();
    folder = daemon.home;
    installImageModel(daemon.services, await noiseImageModel());
    daemon.services.library.bind('svc-image-v1', 'painter');
    announce(daemon);
  }, SLOW_MS);
  afterAll(() => daemon.close());

  test('writes an image in the format of its file name, and says where it is', async () => {
    const out = join(folder, 'harbour.webp');
    const { stdout, stderr, code } = await askd([
      'a harbour',
      '--size',
      '1792x1024',
      '--seed',
      '7',
      '--out',
      out,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\/.*harbour\.webp {2}1792x1024, seed 7, \d/);
    expect(await sharp(readFileSync(out)).metadata()).toMatchObject({
      format: 'webp',
      width: 1792,
      height: 1024,
    });
  });

  test('names an image in a folder by its prompt and seed, and never overwrites one', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    const paths = [];
    for (let count = 0; count < 2; count++) {
      const { stdout } = await askd(['A red fox,', 'in the Schnee!', '--seed', '3', '-o', own, '--json']);
      const document = JSON.parse(stdout) as { path: string };
      expect(document).toMatchObject({ schema: 'image/1', seed: 3, size: '1024x1024', format: 'png' });
      paths.push(document.path);
    }
    expect(paths).toEqual([
      join(own, 'a-red-fox-in-the-schnee-3.png'),
      join(own, 'a-red-fox-in-the-schnee-3-2.png'),
    ]);
    expect(paths.every((path) => existsSync(path))).toBe(true);
  });

  test('reads the text from a pipe', async () => {
    const out = join(folder, 'piped.jpg');
    const { code } = await askd(['--steps', '1', '--negative', 'a dog', '--out', out], { input: 'a cat\n' });
    expect([code, (await sharp(readFileSync(out)).metadata()).format]).toEqual([0, 'jpeg']);
  });

  test.each([
    ['kitty', KITTY, /<ESC>_Ga=T,c=40,f=100,q=2,m=1;iVBORw0K[^<]*<ESC>\\.*<ESC>_Gq=2,m=0;[^<]*<ESC>\\/s],
    ['iTerm2', ITERM, /<ESC>\]1337;File=size=\d+;width=40;preserveAspectRatio=1;inline=1:iVBORw0K[^<]*<BEL>/],
  ])('shows the image in %s', async (_name, env, sequence) => {
    const { stdout, stderr } = await askd(['a cat', '-o', folder], { terminal: true, env });
    expect(stdout.replaceAll('\u001b', '<ESC>').replaceAll('\u0007', '<BEL>')).toMatch(sequence);
    expect(stderr).toContain('generating: step 4 of 4');
  });

  test.each([
    ['into a pipe', { env: KITTY }],
    ['in another terminal', { terminal: true, env: { TERM: 'xterm-256color' } }],
    ['inside tmux', { terminal: true, env: { ...KITTY, TMUX: '/tmp/tmux' } }],
  ])('shows no image %s', async (_name, options) => {
    const { stdout } = await askd(['a cat', '-o', folder], options);
    expect(stdout).not.toContain('iVBORw0K');
  });

  test('without a text, or with a file name of unknown format, says what to type', async () => {
    const nothing = await askd([], { terminal: true });
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('askd image "')]);
    const refused = await askd(['a cat', '--out', 'cat.gif']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('.png, .jpg')]);
    const nowhere = await askd(['a cat', '--out', '/nowhere/cat.png']);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('/nowhere/cat.png')]);
  });
});

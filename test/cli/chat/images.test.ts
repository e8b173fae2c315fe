import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { visionModel } from '../../helpers/models/models.ts';
import { pictureFile } from '../../helpers/models/image-files.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('a model with its projector is imported, bound, and asked about files', async () => {
  const daemon = await startDaemon();
  announce(daemon);
  const askd = (...args: string[]) => runCli(args, { home: daemon.home });
  const { path, projector } = await visionModel();
  const imported = await askd('import', path, '--projector', projector, '--id', 'eyes', '--no-check');
  expect(imported.stdout).toMatch(/Imported eyes .*\n.*askd bind svc-vision-v1 eyes/);
  await askd('bind', 'svc-vision-v1', 'eyes');
  const folder = temporaryFolder();
  const [red, lime] = [join(folder, 'red.png'), join(folder, 'lime.webp')];
  writeFileSync(red, await pictureFile('red'));
  writeFileSync(lime, await pictureFile('lime', 'webp'));
  const ask = (...images: string[]) =>
    askd(
      ...['chat', '-m', 'svc-vision-v1', '--json', '--temperature', '0', '--max-tokens', '4'],
      ...images.flatMap((image) => ['--image', image]),
      'What is it?',
    );
  const [one, two] = [await ask(red), await ask(red, lime)];
  expect([one.code, two.code]).toEqual([0, 0]);
  const tokens = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as { usage: { prompt_tokens: number } }).usage.prompt_tokens;
  expect(tokens(two)).toBeGreaterThan(tokens(one));
  writeFileSync(red, 'text');
  expect(await ask(red)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a PNG') as string,
  });
  expect((await ask(join(folder, 'nothing.png'))).code).toBe(5);
});

import { expect, test } from 'vitest';
import { OPTIONAL_ENGINES } from '../../../../src/library/engines/optional-engines.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { pictureUrl } from '../../../helpers/models/image-files.ts';
import { visionModel } from '../../../helpers/models/models.ts';
import { installImageModel, noiseImageModel } from '../../../helpers/models/pictures.ts';

/** A version that nobody has, so that those in the repository are not used. */
const optionalEngines = OPTIONAL_ENGINES.map((engine) => ({
  ...engine,
  packages: engine.packages.map((each) => ({ ...each, version: '0.0.0-missing' })),
}));

test('an image without the image engine is refused with the command that installs it', async () => {
  const { services, call, key } = await startDaemon({}, { optionalEngines });
  installImageModel(services, await noiseImageModel());
  services.library.bind('svc-image-v1', 'painter');
  for (const more of [{}, { stream: true }, { model: 'painter' }]) {
    const body = { prompt: 'a cat', ...more };
    const reply = await call('POST', '/v1/images/generations', { token: key, body });
    expect([reply.status, reply.json()]).toMatchObject([
      404,
      {
        error: {
          code: 'engine_not_installed',
          param: 'model',
          message: expect.stringMatching(
            /\([\d.]+ MB to download\)\. Install it: askd engines install diffusion$/,
          ) as string,
          fix: 'askd engines install diffusion',
        },
      },
    ]);
  }
  expect(services.store.prepare('SELECT * FROM usage').all()).toEqual([]);
});

test('a chat about an image without the vision engine is refused with the command that installs it', async () => {
  const { services, call, key } = await startDaemon({}, { optionalEngines });
  const { path, projector } = await visionModel();
  await services.library.importArtifact({ id: 'eyes', path, projector, mode: 'link' });
  services.library.bind('svc-vision-v1', 'eyes');
  const image = { type: 'image_url', image_url: { url: await pictureUrl('red') } };
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
  for (const model of ['svc-vision-v1', 'eyes']) {
    const reply = await call('POST', '/v1/chat/completions', { token: key, body: { model, messages } });
    expect([reply.status, reply.json()]).toMatchObject([
      404,
      {
        error: {
          code: 'engine_not_installed',
          message: expect.stringMatching(
            /\([\d.]+ MB to download\)\. Install it: askd engines install vision$/,
          ) as string,
          fix: 'askd engines install vision',
        },
      },
    ]);
  }
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunDocument } from '../../../../../cli/tasks/eval/run-document.ts';
import { openDaemonWith } from '../../../../helpers/daemon/chat.ts';
import { pictureFile, pictureUrl } from '../../../../helpers/models/image-files.ts';
import { scriptedModel, visionModel } from '../../../../helpers/models/models.ts';
import { announce, runCli } from '../../../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

const MINUTES = { timeout: 120_000 };
const COLOURS = ['red', 'lime'] as const;
const QUESTION = { type: 'text', text: 'What is it?' };
const OPTIONS = { temperature: 0, max_tokens: 6 };

/** A model that accepts images, one that does not, and pictures beside the file of cases. */
async function besidePictures() {
  const { path, projector } = await visionModel();
  const daemon = await openDaemonWith({ blind: await scriptedModel('I see nothing.') });
  onTestFinished(daemon.close);
  announce(daemon);
  await daemon.services.library.importArtifact({ id: 'sees', path, projector, mode: 'link' });
  const folder = temporaryFolder();
  for (const colour of COLOURS) writeFileSync(join(folder, `${colour}.png`), await pictureFile(colour));
  const evaluate = async (cases: readonly object[], ...args: string[]) => {
    const file = join(folder, 'cases.jsonl');
    const lines = [{ defaults: { options: OPTIONS } }, ...cases].map((each) => JSON.stringify(each));
    writeFileSync(file, lines.join('\n'));
    const ran = await runCli(['eval', file, '--json', ...args], { home: daemon.home });
    return { ...ran, run: () => JSON.parse(ran.stdout) as RunDocument };
  };
  return { ...daemon, evaluate };
}

test('a model with vision is asked about the pictures of each case', MINUTES, async () => {
  const { evaluate, chat } = await besidePictures();
  const seen = async (colour: string) => {
    const image = { type: 'image_url', image_url: { url: await pictureUrl(colour) } };
    const messages = [{ role: 'user', content: [QUESTION, image] }];
    const reply = await chat({ ...OPTIONS, model: 'sees', messages });
    return reply.json<{ choices: { message: { content: string } }[] }>().choices[0]?.message.content ?? '';
  };
  const [red, lime] = [await seen('red'), await seen('lime')];
  expect(red).not.toBe(lime);
  const { run, code } = await evaluate(
    [
      { name: 'red', prompt: QUESTION.text, images: ['red.png'], expect: [{ exact: red }] },
      {
        name: 'of a table: {{colour}}',
        prompt: QUESTION.text,
        images: ['{{colour}}.png'],
        with: [
          { colour: 'red', answer: red },
          { colour: 'lime', answer: lime },
        ],
        expect: [{ exact: '{{answer}}' }],
      },
      { name: 'another', prompt: QUESTION.text, images: ['lime.png'], expect: [{ exact: red }] },
    ],
    '-m',
    'sees',
  );
  const outcomes = run().models[0]?.cases.map(({ name, passed }) => [name, passed]);
  expect(outcomes).toEqual([
    ['red', 1],
    ['of a table: red', 1],
    ['of a table: lime', 1],
    ['another', 0],
  ]);
  expect(code).toBe(1);
});

test('a model without vision is an error of that case, and of no other', MINUTES, async () => {
  const { evaluate } = await besidePictures();
  const expected = [{ contains: 'nothing' }];
  const { run, code } = await evaluate(
    [
      { name: 'picture', prompt: QUESTION.text, images: ['red.png'], expect: expected },
      { name: 'text', prompt: QUESTION.text, expect: expected },
    ],
    '-m',
    'blind',
  );
  expect(run().models).toMatchObject([
    {
      passed: 1,
      errors: 1,
      cases: [{ samples: [{ error: { message: expect.stringMatching(/image/) as string } }] }, { passed: 1 }],
    },
  ]);
  expect(code).toBe(1);
});

test('a missing or invalid picture is named before anything is asked', MINUTES, async () => {
  const { evaluate, services } = await besidePictures();
  const about = (image: string) => [{ prompt: QUESTION.text, images: [image], expect: [{ contains: 'o' }] }];
  const missing = await evaluate(about('green.png'), '-m', 'sees');
  expect([missing.code, missing.stderr]).toEqual([5, expect.stringMatching(/green\.png cannot be read/)]);
  const none = await evaluate(about('cases.jsonl'), '-m', 'sees');
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringMatching(/cases\.jsonl is not a PNG, JPEG, WebP or GIF image/),
  ]);
  expect(services.pool.status()).toEqual([]);
});

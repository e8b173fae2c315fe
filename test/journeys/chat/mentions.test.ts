import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictureFile } from '../../helpers/models/image-files.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

async function project(): Promise<string> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'app.ts'), 'const one = 1;\n');
  writeFileSync(join(folder, 'src', 'state.ts'), 'let two = 2;\nlet three;\n');
  writeFileSync(join(folder, 'my notes.txt'), 'Buy milk.\n');
  writeFileSync(join(folder, '.gitignore'), '*.env\n');
  writeFileSync(join(folder, 'secret.env'), 'password\n');
  writeFileSync(join(folder, 'data.bin'), Buffer.from([0, 1, 2]));
  writeFileSync(join(folder, 'picture.png'), await pictureFile('red'));
  return folder;
}

const APP = 'src/app.ts:\n```\nconst one = 1;\n```';

test('files and folders are found while typing, with their tokens, and are sent with the message', async () => {
  const { terminal, asked, leave } = await openConversation({ folder: await project() });
  terminal.type('compare @');
  await terminal.shows(/^> \.gitignore +1 line, \d+ tokens\n {2}data\.bin +is neither text nor an image$/m);
  await terminal.shows(/^ {2}picture\.png +image\n {2}src\/ +2 files, \d+ tokens$/m);
  expect(terminal.text()).not.toContain('secret.env');
  terminal.type('ap');
  await terminal.shows(/^>>> compare @ap\n> src\/app\.ts +1 line, 7 tokens$/m);
  terminal.type('\tto @notes\t');
  await terminal.shows(/^>>> compare @src\/app\.ts to @my\\ notes\.txt$/m);
  terminal.type('\r');
  await terminal.shows(
    /^Attached src\/app\.ts: 1 line, 7 tokens\nAttached my notes\.txt: 1 line, 6 tokens\nWell said\./m,
  );
  const text = String.raw`compare @src/app.ts to @my\ notes.txt`;
  expect(asked()).toEqual([`${text}\n\n${APP}\n\nmy notes.txt:\n\`\`\`\nBuy milk.\n\`\`\``]);
  terminal.type('all of @sr\u001b[B\u001b[A\r\r');
  await terminal.shows(/^Attached src\/: 2 files, \d+ tokens$/m);
  await expect.poll(() => asked().length, { timeout: 60_000 }).toBe(2);
  expect(asked()[1]).toBe(
    `all of @src/\n\n${APP}\n\nsrc/state.ts:\n\`\`\`\nlet two = 2;\nlet three;\n\`\`\``,
  );
  await leave();
}, 120_000);

test('a file that cannot be attached is reported, and the message comes back', async () => {
  const { terminal, asked, bodies, leave } = await openConversation({ folder: await project() });
  terminal.type('what is @data.bin\r');
  await terminal.shows(
    /^data\.bin is neither text nor an image\.\nNothing was sent\.\n>>> what is @data\.bin$/m,
  );
  terminal.type('\u0015see @picture.png\r');
  await terminal.shows(
    /^picture\.png is an image, which svc-chat-v1 does not accept: \/model svc-vision-v1$/m,
  );
  expect(asked()).toEqual([]);
  terminal.type('\u0015/model eyes\r');
  await terminal.shows('Switched to eyes.');
  terminal.type('see @picture.png\r');
  await terminal.shows(/^Attached picture\.png: an image\nWell said\./m);
  expect(bodies()[0]?.messages).toMatchObject([
    {
      content: [
        { type: 'text', text: 'see @picture.png' },
        {
          type: 'image_url',
          image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) as string },
        },
      ],
    },
  ]);
  await leave();
}, 120_000);

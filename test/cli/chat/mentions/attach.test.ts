import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachMentioned } from '../../../../cli/chat/mentions/attach.ts';
import { ranked } from '../../../../cli/chat/mentions/complete.ts';
import { mentionOf } from '../../../../cli/chat/mentions/find.ts';
import { pictureFile } from '../../../helpers/models/image-files.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

function attach(text: string, typed = text) {
  const countTokens = async (counted: string) => counted.length;
  return attachMentioned({ text, typed, model: 'm', canSee: async () => false, countTokens });
}

test('any text is attached whole, inside a fence that it cannot close', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a file.md');
  const piece = fc.constantFrom('`', '```', '````js\n', 'text', '\n', 'ä', '"');
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const content = pieces.join('');
      writeFileSync(file, content);
      const { text, refusals } = await attach(`see ${mentionOf(file)}`);
      expect(refusals).toEqual([]);
      const [, fence = '', inside] = /:\n(`+)\n([^]*)\1$/.exec(text) ?? [];
      expect(inside).toBe(content === '' || content.endsWith('\n') ? content : `${content}\n`);
      expect(content).not.toContain(fence);
    }),
  );
});

test('a file that cannot be attached is named with the reason', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('data.bin'), Buffer.from([1, 0, 2]));
  writeFileSync(at('latin.txt'), Buffer.from([0x66, 0xfc, 0x72]));
  writeFileSync(at('large.txt'), 'x'.repeat(300_000));
  mkdirSync(at('empty'));
  mkdirSync(at('many'));
  for (let index = 0; index < 201; index++) writeFileSync(at(`many/${index}`), 'x');
  const names = ['data.bin', 'latin.txt', 'large.txt', 'empty', 'many'];
  const { refusals } = await attach(names.map((name) => `@${at(name)}`).join(' '));
  expect(refusals.map((each) => each.slice(folder.length + 1))).toEqual([
    'data.bin is neither text nor an image.',
    'latin.txt is neither text nor an image.',
    'large.txt has 300 KB; the limit for a file is 250 KB.',
    'empty has no text files.',
    'many has 201 files; the limit for a folder is 200.',
  ]);
  writeFileSync(at('picture'), await pictureFile('red'));
  expect((await attach(`@${at('picture')}`)).refusals[0]).toMatch(/ is an image, which m does not accept/);
});

test('all files of a message together have a size limit', async () => {
  const folder = temporaryFolder();
  const files = Array.from({ length: 5 }, (_, index) => join(folder, `${index}.txt`));
  for (const file of files) writeFileSync(file, 'x'.repeat(250_000));
  const { refusals } = await attach(files.map((file) => `@${file}`).join(' '));
  expect(refusals).toEqual(['What is attached has 1.3 MB of text; the limit for a message is 1.0 MB.']);
});

test('a folder is attached with its text files, and lists what is left out', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'b.txt'), 'two\n');
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeFileSync(join(folder, 'c.bin'), Buffer.from([0]));
  const { text, notes } = await attach(`@${folder}/ twice: @${folder}/`);
  expect(text.split('\n\n').slice(1)).toEqual([
    `${folder}/a.txt:\n\`\`\`\none\n\`\`\``,
    `${folder}/b.txt:\n\`\`\`\ntwo\n\`\`\``,
  ]);
  expect(notes[0]).toMatch(/: 2 files, \d+ tokens$/);
  expect(notes.slice(1)).toEqual([`Not attached from ${folder}: c.bin`]);
});

test('pasted text mentions nothing, and a path that does not exist stays as it is', async () => {
  const file = join(temporaryFolder(), 'a.txt');
  writeFileSync(file, 'secret');
  const pasted = await attach(`look: @${file}`, 'look: [pasted 12 lines]');
  expect(pasted).toMatchObject({ text: `look: @${file}`, notes: [] });
  expect(await attach('ask @anna about @src/nothing.ts')).toMatchObject({
    text: 'ask @anna about @src/nothing.ts',
    notes: ['@src/nothing.ts is not a file here and is sent as it is.'],
  });
});

test('paths that begin with the typed text come first, and every path that contains it is found', () => {
  const paths = ['lib/app/', 'lib/app/x.ts', 'app.ts', 'docs/map.md', 'other.ts'];
  expect(ranked(paths, 'ap')).toEqual(['app.ts', 'lib/app/', 'lib/app/x.ts', 'docs/map.md']);
  expect(ranked(paths, '')).toEqual(['app.ts', 'other.ts']);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasDrawingNotes, readDrawingFolder } from '../../../src/library/drawing-folder.ts';
import { findWeights } from '../../../src/library/weights.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function folderWith(notes: unknown): string {
  const folder = temporaryFolder();
  for (const name of ['model.safetensors', 'decoder.safetensors'])
    writeFileSync(join(folder, name), 'weights');
  writeFileSync(join(folder, 'askd.json'), typeof notes === 'string' ? notes : JSON.stringify(notes));
  return folder;
}

const drawing = { side: 512, steps: 4, guidance: 1 };
const files = { model: 'model.safetensors', decoder: 'decoder.safetensors' };

describe('the notes beside a model that draws', () => {
  test('say which file is what and how it draws', () => {
    const folder = folderWith({ drawing, files, licence: 'MIT' });
    expect(findWeights(folder, 'link')).toBe(folder);
    expect(readDrawingFolder(folder, 'mine')).toEqual({
      name: 'mine',
      engine: 'diffusion',
      tasks: ['draw'],
      licence: 'MIT',
      path: join(folder, 'model.safetensors'),
      files: { decoder: join(folder, 'decoder.safetensors') },
      bytes: 14,
      contextTokensMax: 0,
      drawing,
    });
  });

  test('of another kind are nothing to it', () => {
    expect(hasDrawingNotes(folderWith({ moderation: {} }))).toBe(false);
    expect(hasDrawingNotes(temporaryFolder())).toBe(false);
  });

  test.each([
    [{ drawing, files: {} }, 'no file as the "model"'],
    [{ drawing, files: { model: '../model.safetensors' } }, 'not the name of a file'],
    [{ drawing, files: { model: 7 } }, 'not the name of a file'],
    [{ drawing, files: { model: 'none.gguf' } }, 'there is no none.gguf'],
    [{ drawing: { ...drawing, side: 8 }, files }, '"side"'],
    [{ drawing: { ...drawing, steps: 0.5 }, files }, '"steps"'],
    [{ drawing: { ...drawing, guidance: 'much' }, files }, '"guidance"'],
    ['{', 'not valid JSON'],
  ])('%j is refused with the reason and an example', (notes, reason) => {
    const folder = folderWith(notes);
    const read = () => readDrawingFolder(folder, 'mine');
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_model_file' }));
    expect(read).toThrow(reason);
    expect(read).toThrow('sd_turbo.safetensors');
  });
});

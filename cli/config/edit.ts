import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { loadSettings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import { writeConfigFile } from '../../src/config/config-file.ts';
import type { Context } from '../context.ts';
import { editorOf, openEditor } from '../prompt/external-editor.ts';

/** An invalid result is saved beside the original, so that no input is lost. */
export async function editConfig({ paths, environment, io }: Context): Promise<void> {
  const editor = editorOf(environment);
  if (editor === undefined || !io.stdin.isTTY) {
    throw new Failure(
      'missing_required_parameter',
      'No editor is set, or there is no terminal to run it in.',
      {
        details: { fix: `EDITOR=nano askd config edit, or edit ${paths.config}` },
      },
    );
  }
  if (!existsSync(paths.config)) writeConfigFile(paths.config, {});
  const before = `${paths.config}.before`;
  copyFileSync(paths.config, before);
  const problem = await openEditor(editor, paths.config);
  try {
    if (problem !== undefined) throw new Failure('invalid_value', problem);
    await loadSettings(environment);
    rmSync(before);
  } catch (error) {
    const edited = `${paths.config}.edited`;
    copyFileSync(paths.config, edited);
    copyFileSync(before, paths.config);
    rmSync(before);
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `${error.message} The file is unchanged; your edits are in ${edited}.`, {
      cause: error,
    });
  }
}

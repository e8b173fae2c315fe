import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { execa } from 'execa';
import { loadSettings } from '../src/config.ts';
import { Failure } from '../src/errors.ts';
import { writeConfigFile } from './config-file.ts';
import type { Context } from './context.ts';

/** A file that is not valid afterwards is kept beside the one that was: nothing that was typed is lost. */
export async function editConfig({ paths, environment, io }: Context): Promise<void> {
  const editor = environment.env['VISUAL'] || environment.env['EDITOR'];
  if (!editor || !io.stdin.isTTY) {
    throw new Failure(
      'missing_required_parameter',
      'There is no editor to open, or no terminal to show it on.',
      {
        details: { fix: `EDITOR=nano askd config edit, or change ${paths.config}` },
      },
    );
  }
  if (!existsSync(paths.config)) writeConfigFile(paths.config, {});
  const before = `${paths.config}.before`;
  copyFileSync(paths.config, before);
  // An editor may come with its own flags, as in EDITOR="code --wait".
  const [file = editor, ...args] = editor.split(/\s+/);
  const { exitCode } = await execa(file, [...args, paths.config], { stdio: 'inherit', reject: false });
  try {
    if (exitCode !== 0)
      throw new Failure('invalid_value', `The editor ended with ${exitCode ?? 'a signal'}.`);
    await loadSettings(environment);
    rmSync(before);
  } catch (error) {
    const edited = `${paths.config}.edited`;
    copyFileSync(paths.config, edited);
    copyFileSync(before, paths.config);
    rmSync(before);
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, `${error.message} The file is as it was; what you wrote is in ${edited}.`, {
      cause: error,
    });
  }
}

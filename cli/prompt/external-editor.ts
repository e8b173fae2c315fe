import { execa } from 'execa';
import type { Environment } from '../../src/config/config.ts';

/** The user's editor; undefined if none is configured. */
export function editorOf({ env }: Environment): string | undefined {
  return env['VISUAL'] || env['EDITOR'] || undefined;
}

/** Opens a file and waits. Resolves to an error message, or to undefined. */
export async function openEditor(editor: string, path: string): Promise<string | undefined> {
  // An editor may have flags, as in EDITOR="code --wait".
  const [file = editor, ...args] = editor.split(/\s+/);
  const { exitCode, code, signal } = await execa(file, [...args, path], { stdio: 'inherit', reject: false });
  if (exitCode === 0) return undefined;
  if (code !== undefined) return `The editor ${file} could not be started (${code}).`;
  return `The editor ended with ${exitCode ?? signal ?? 'a signal'}.`;
}

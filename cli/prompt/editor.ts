import { execa } from 'execa';
import type { Environment } from '../../src/config/config.ts';

/** What somebody wants to write in; nothing when nobody has said. */
export function editorOf({ env }: Environment): string | undefined {
  return env['VISUAL'] || env['EDITOR'] || undefined;
}

/** Opens a file and waits. Resolves to what went wrong, or to nothing. */
export async function openEditor(editor: string, path: string): Promise<string | undefined> {
  // An editor may come with its own flags, as in EDITOR="code --wait".
  const [file = editor, ...args] = editor.split(/\s+/);
  const { exitCode, code, signal } = await execa(file, [...args, path], { stdio: 'inherit', reject: false });
  if (exitCode === 0) return undefined;
  if (code !== undefined) return `The editor ${file} could not be started (${code}).`;
  return `The editor ended with ${exitCode ?? signal ?? 'a signal'}.`;
}

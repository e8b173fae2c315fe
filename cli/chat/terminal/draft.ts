import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../context.ts';

/** Opens the draft in an editor. On an error it prints a note and returns the draft unchanged. */
export async function editDraft({ environment, output }: Context, draft: string): Promise<string> {
  const { editorOf, openEditor } = await import('../../prompt/external-editor.ts');
  const editor = editorOf(environment);
  if (editor === undefined) {
    output.note('\nCtrl-G needs $VISUAL or $EDITOR, and neither is set: EDITOR=nano askd chat');
    return draft;
  }
  // Private to this user, with a name that editors recognise as Markdown.
  const folder = mkdtempSync(join(tmpdir(), 'askd-chat-'));
  try {
    const path = join(folder, 'message.md');
    writeFileSync(path, draft, { mode: 0o600 });
    const problem = await openEditor(editor, path);
    if (problem === undefined) return readFileSync(path, 'utf8').trimEnd();
    output.note(`\n${problem} The draft is unchanged.`);
    return draft;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

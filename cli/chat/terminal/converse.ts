import { loadSettings } from '../../../src/config/config.ts';
import type { Client } from '../../client/client.ts';
import { isElsewhere } from '../../client/own-daemon.ts';
import type { Context } from '../../context.ts';
import { createPullNotices } from '../../models/pull/pull-notices.ts';
import { formatCount } from '../../output/format.ts';
import { copyText } from '../../prompt/clipboard.ts';
import { createAttachments } from '../attach.ts';
import type { Conversation } from '../slash-commands.ts';
import type { Talk } from '../talk.ts';
import { createNotify } from './notify.ts';

const NOT_KEPT =
  'note: this conversation is not kept, because no daemon runs on this machine. To keep it, first: askd up';

/** An interactive chat, until Ctrl-D or /bye. */
export async function converse(context: Context, client: Client, talk: Talk): Promise<void> {
  const { output } = context;
  const conversation: Conversation = {
    ...talk,
    over: false,
    attachments: createAttachments(client),
    copy: (text) => copyText(context, text),
  };
  const notices = isElsewhere(context) ? undefined : createPullNotices(client);
  const news = async () => (await notices?.next(conversation.options.model)) ?? [];
  output.note(greeting(talk));
  if ((await talk.saved.store()) === undefined) output.note(NOT_KEPT);
  const isEditing = canEdit(context);
  const { chatNotifyAfterMs: afterMs } = await loadSettings(context.environment);
  const notify = createNotify(context, { afterMs, hasWords: isEditing });
  if (isEditing) {
    const { converseInEditor } = await import('./converse-in-editor.ts');
    return converseInEditor(context, client, { conversation, news, notify });
  }
  const { converseInLines } = await import('./converse-in-lines.ts');
  return converseInLines(context, client, { conversation, news, notify });
}

function greeting({ options, messages, saved: { name } }: Talk): string {
  const past = messages.length === 0 ? '' : ` · ${name}, ${formatCount(messages.length, 'message')} so far`;
  return `${options.model}${past} · /? for help`;
}

/** Redrawing lines needs a terminal with cursor movement, and a person who sees it. */
function canEdit({ environment, output }: Context): boolean {
  const { env, isScreenReader } = environment;
  if (output.plain || isScreenReader) return false;
  return process.platform === 'win32' || !['', 'dumb'].includes(env['TERM'] ?? '');
}

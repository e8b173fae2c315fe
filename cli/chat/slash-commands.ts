import { formatCount } from '../output/format.ts';
import { renderFields } from '../output/table.ts';
import { wrapFields } from '../output/wrap.ts';
import { THEMES } from '../output/markdown/themes.ts';
import { attachImage, type Attachments } from './attach.ts';
import { copyAnswer, type Copy } from './copy.ts';
import { switchModel, type Choosing } from './switch-model.ts';
import { loadChat, saveChat } from './saved-chats.ts';
import { setOption, setSystem } from './set-option.ts';
import type { Talk } from './talk.ts';

/** The state of the chat; slash commands change it. */
export type Conversation = Talk & { over: boolean; attachments: Attachments; copy: Copy };

type Terminal = Choosing & { columns: number };

type SlashCommand = {
  name: string;
  argument?: string;
  summary: string;
  /** Resolves to what to print. */
  run: (conversation: Conversation, argument: string, terminal: Terminal) => string | Promise<string>;
  /** The names in other programs. */
  aliases?: readonly string[];
};

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: '/clear', summary: 'clear the conversation', run: clear },
  {
    name: '/system',
    argument: 'TEXT',
    summary: 'set the system prompt; empty removes it',
    run: ({ options }, text) => setSystem(options, text),
  },
  { name: '/model', argument: 'ID', summary: 'switch to another model', run: switchModel },
  {
    name: '/set',
    argument: 'NAME VALUE',
    summary: 'change a setting; no name: list them; no value: reset it',
    run: ({ options }, argument) => setOption(options, argument),
  },
  {
    name: '/image',
    argument: 'FILE',
    summary: 'attach an image to the next message; no file: remove it',
    run: ({ attachments, options }, argument) => attachImage(attachments, options.model, argument),
  },
  {
    name: '/copy',
    argument: 'N',
    summary: 'copy the last answer, or its code block N',
    run: copyAnswer,
  },
  { name: '/save', argument: 'NAME', summary: 'save the conversation', run: saveChat },
  {
    name: '/load',
    argument: 'NAME',
    summary: 'continue a saved conversation; no name: list them',
    run: loadChat,
  },
  { name: '/theme', argument: 'NAME', summary: `change the colors: ${THEMES.join(', ')}`, run: setTheme },
  { name: '/show', summary: 'show the model and the settings', run: show },
  { name: '/bye', summary: 'leave (also Ctrl-D)', run: leave, aliases: ['/exit', '/quit'] },
  { name: '/?', summary: 'show this list', run: list, aliases: ['/help'] },
];

/** Runs a slash command; undefined if the text is a message. */
export async function runSlashCommand(
  conversation: Conversation,
  text: string,
  { columns = Infinity, ...choosing }: Partial<Terminal> = {},
): Promise<string | undefined> {
  const match = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return undefined;
  const [, name = '', argument = ''] = match;
  const command = SLASH_COMMANDS.find((each) => each.name === name || each.aliases?.includes(name));
  return (
    command?.run(conversation, argument.trim(), { columns, ...choosing }) ??
    `Unknown command ${name}. /? lists the commands.`
  );
}

function clear(conversation: Conversation): string {
  conversation.messages.length = 0;
  return 'The conversation is cleared.';
}

function setTheme({ options }: Conversation, name: string): string {
  const theme = THEMES.find((each) => each === name);
  if (theme === undefined) return `The themes are ${THEMES.join(', ')}: /theme light`;
  options.theme = theme;
  return `The theme is ${theme}. To keep it: askd config set chat_theme ${theme}`;
}

function show(
  { options, messages, attachments: { files } }: Conversation,
  _argument: string,
  { columns }: Terminal,
): string {
  const settings = [
    ['model', options.model],
    ['system', options.system],
    ['messages', formatCount(messages.length, 'message')],
    ['max tokens', options.maxTokens],
    ['temperature', options.temperature],
    ['top-p', options.topP],
    ['stop', options.stop?.map((text) => JSON.stringify(text)).join(', ')],
    ['seed', options.seed],
    ['think', options.think],
    ['format', options.format],
    ['schema', options.schema === undefined ? undefined : JSON.stringify(options.schema)],
    ['images', files.length === 0 ? undefined : files.join(', ')],
  ] as const;
  const set = settings.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return renderFields(wrapFields(set, columns));
}

function leave(conversation: Conversation): string {
  conversation.over = true;
  return '';
}

function list(_conversation: Conversation, _argument: string, { columns }: Terminal): string {
  const commands = SLASH_COMMANDS.map(
    ({ name, argument, summary }) => [[name, argument].filter(Boolean).join(' '), summary] as const,
  );
  const keys = [
    ['@FILE', 'attach a file or a folder to the message'],
    ['Alt-Enter', 'begin a new line (also Ctrl-J, Shift-Enter, or \\ before Enter)'],
    ['"""', 'begin and end a multi-line message'],
    ['Ctrl-G', 'write the message in $VISUAL or $EDITOR'],
    ['Esc', 'stop the reply and edit the message again'],
    ['Ctrl-C', 'stop the reply; twice: leave'],
    ['Tab', 'complete a command or a file'],
    ['↑', 'edit what waits; recall earlier input with the same prefix'],
    ['Ctrl-R', 'search earlier input'],
    ['Ctrl-_', 'undo'],
  ] as const;
  return renderFields(wrapFields([...commands, ...keys], columns));
}

import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { collect, integerBetween, numberBetween } from '../../command-line/arguments.ts';
import { THINK, type ChatOptions } from '../../chat/options.ts';
import { CHAT_THEMES, loadSettings } from '../../../src/config/config.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Failure } from '../../../src/base/errors.ts';

type ChatFlags = ChatOptions & { session?: string; continue?: true };

export const chat = command<ChatFlags>({
  name: 'chat',
  group: 'Chat:',
  summary: 'chat with a model',
  details:
    'With a prompt, prints one reply; piped input is added to the prompt. Without a prompt, starts a ' +
    'conversation in the terminal, which -c continues. --session saves it under a name after every reply; askd ' +
    'chats lists saved ones.',
  examples: [
    'askd chat',
    'askd chat "Why is the sky blue?"',
    'git diff | askd chat "Write a commit message for this"',
    'askd chat -m my-model -s "Answer in French" --stats "Good morning"',
    'askd chat -m svc-vision-v1 --image photo.jpg "What is in this picture?"',
    'askd chat --json "Say hello" | jq -r .content',
    'askd chat -c "And in one sentence?"',
    'askd chat --mcp files "Which of my notes mention the harbour?"',
    'askd chat --schema person.json "Who invented the telephone?"',
  ],
  configure(commander) {
    commander
      .argument('[prompt...]', 'the prompt; - reads it from stdin')
      .option('-m, --model <id>', 'the model', 'svc-chat-v1')
      .option('-s, --system <text>', 'the system prompt')
      .option('-c, --continue', 'continue the last conversation')
      .option('--session <name>', 'continue the conversation with this name, or start it')
      .option('-i, --image <file>', 'an image to ask about; repeatable', collect)
      .option('--max-tokens <count>', 'maximum length of the reply', integerBetween(1, 1_048_576))
      .option(
        '--temperature <number>',
        'sampling temperature; 0 picks the likeliest token',
        numberBetween(0, 2),
      )
      .option('--top-p <number>', 'sample from the likeliest tokens only', numberBetween(0, 1))
      .option('--stop <text>', 'stop before this text; up to 4 times', collect)
      .option(
        '--seed <number>',
        'the same seed gives the same reply',
        integerBetween(-2_147_483_648, 4_294_967_295),
      )
      .option('--schema <file>', 'constrain the reply to the JSON schema in this file')
      .addOption(new Option('--format <kind>', 'format of the reply').choices(['json']))
      .addOption(new Option('--think <effort>', 'reasoning effort of a model that thinks').choices(THINK))
      .option('--mcp <server>', 'let the model use the tools of this MCP server; repeatable', collect)
      .option('--show-prompt', 'print the rendered prompt to stderr')
      .addOption(
        new Option('--theme <name>', 'colors of the reply (default: setting chat_theme)').choices(
          CHAT_THEMES,
        ),
      )
      .option('--no-stream', 'print the reply only when it is complete')
      .option('--stats', 'print token counts and speed after the reply');
  },
  async run(context, { args, options: flags, commander }) {
    const options = { ...flags, ...(flags.schema !== undefined && { schema: readSchema(flags.schema) }) };
    if (context.output.styled) {
      const { chatTheme, chatImages } = await loadSettings(context.environment);
      options.theme ??= chatTheme;
      options.images = chatImages;
    }
    const prompt = await readPrompt(context, args);
    if (prompt === '') requireTerminal(context);
    if (prompt === '' && options.image) throw imageWithoutPrompt();
    if (prompt === '' && options.showPrompt) throw needsPrompt('--show-prompt');
    const { openTalk } = await import('../../chat/session.ts');
    const given = (flag: string) =>
      commander.getOptionValueSource(flag) === 'cli' || (flag === 'model' && commander.name() === 'run');
    const names = flags.session !== undefined || flags.continue === true;
    const store = chatStore(context, names);
    // Wrong flags are reported before a daemon starts; without a name nothing is read.
    const talk = await openTalk(store, options, { request: flags, given });
    const [client, { printNotice }, answering] = await Promise.all([
      context.connect('inference', talk.options.model),
      import('../../output/notice.ts'),
      prompt === '' ? undefined : import('../../chat/one-shot.ts'),
    ]);
    if (prompt === '')
      await (await import('../../models/missing.ts')).requireChat(client, talk.options.model);
    await printNotice(context, client, talk.options.model);
    if (options.mcp) talk.toolbox = await openTools(context, options.mcp);
    if (answering) return answering.answerOnce(context, client, talk, prompt);
    return (await import('../../chat/terminal/converse.ts')).converse(context, client, talk);
  },
});

async function openTools(context: Context, servers: readonly string[]) {
  const [{ openToolbox }, client] = await Promise.all([
    import('../../chat/tools/toolbox.ts'),
    context.connect(),
  ]);
  return openToolbox({ client, note: context.output.note }, servers);
}

/**
 * Conversations stay on this machine, whichever server answers. If another server does, only a named conversation is
 * worth starting a daemon for.
 */
function chatStore(context: Context, isNamed: boolean) {
  const open = async () => {
    const { isElsewhere, ownDaemon } = await import('../../client/own-daemon.ts');
    return ownDaemon(context, { starts: isNamed || !isElsewhere(context) });
  };
  let opened: ReturnType<typeof open> | undefined;
  return async () => (await (opened ??= open()))?.chats;
}

/** The flag names a file that contains the schema. */
function readSchema(file: unknown): unknown {
  try {
    return JSON.parse(readFileSync(String(file), 'utf8')) as unknown;
  } catch (cause) {
    throw new Failure(
      'invalid_value',
      `${String(file)} cannot be read as a JSON schema: ${(cause as Error).message}`,
      {
        param: '--schema',
        cause,
      },
    );
  }
}

async function readPrompt({ io, output, signal }: Context, args: readonly string[]): Promise<string> {
  const { joinPrompt, readStdin, splitPrompt } = await import('../../chat/prompt.ts');
  const { text, wantsStdin } = splitPrompt(args);
  const piped = wantsStdin || !io.stdin.isTTY ? await readStdin(io.stdin, output, signal) : '';
  return joinPrompt(text, piped);
}

function needsPrompt(flag: string): Failure {
  return new Failure('missing_required_parameter', `${flag} needs a prompt.`, {
    details: { fix: `askd chat ${flag} "PROMPT"` },
  });
}

function imageWithoutPrompt(): Failure {
  return new Failure('missing_required_parameter', 'An image needs a prompt.', {
    details: { fix: 'askd chat --image FILE "PROMPT"' },
  });
}

/** A conversation needs an interactive terminal. */
function requireTerminal({ io, output }: Context): void {
  if (io.stdin.isTTY && io.stdout.isTTY && !output.json) return;
  throw new Failure('missing_required_parameter', 'There is no prompt.', {
    details: { fix: 'askd chat "PROMPT"' },
  });
}

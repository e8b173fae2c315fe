import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { collect, integerBetween, numberBetween } from '../../command-line/arguments.ts';
import { THINK, type ChatOptions } from '../../chat/options.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Failure } from '../../../src/base/errors.ts';

type ChatFlags = ChatOptions & { session?: string; continue?: true };

export const chat = command<ChatFlags>({
  name: 'chat',
  group: 'Chat:',
  summary: 'talk with a model',
  details:
    'With a prompt: one reply. What is piped in is added to the prompt. Alone on a terminal: a conversation, which is kept ' +
    'for -c. With --session it is kept under that name, after every reply, and goes on there; askd chats lists them.',
  examples: [
    'askd chat',
    'askd chat "Why is the sky blue?"',
    'git diff | askd chat "Write a commit message for this"',
    'askd chat -m my-model -s "Answer in French" --stats "Good morning"',
    'askd chat -m svc-vision-v1 --image photo.jpg "What is on this picture?"',
    'askd chat --json "Say hello" | jq -r .content',
    'askd chat -c "And in one sentence?"',
    'askd chat --schema person.json "Who invented the telephone?"',
  ],
  configure(commander) {
    commander
      .argument('[prompt...]', 'what to say; - reads it from stdin')
      .option('-m, --model <id>', 'the model', 'svc-chat-v1')
      .option('-s, --system <text>', 'what the model is told first')
      .option('-c, --continue', 'go on with the conversation that was kept last')
      .option('--session <name>', 'go on with the conversation of this name, or begin it')
      .option('-i, --image <file>', 'an image to ask about; may be given several times', collect)
      .option('--max-tokens <count>', 'longest reply', integerBetween(1, 1_048_576))
      .option('--temperature <number>', '0 always takes the likeliest word', numberBetween(0, 2))
      .option('--top-p <number>', 'choose among the likeliest words', numberBetween(0, 1))
      .option('--stop <text>', 'end the reply before this text; up to 4 times', collect)
      .option(
        '--seed <number>',
        'the same seed gives the same reply',
        integerBetween(-2_147_483_648, 4_294_967_295),
      )
      .option('--schema <file>', 'bind the reply to the JSON schema in this file')
      .addOption(new Option('--format <kind>', 'what the reply must be').choices(['json']))
      .addOption(new Option('--think <effort>', 'how much a model that thinks may think').choices(THINK))
      .option('--show-prompt', 'print the prompt that the model reads, to stderr')
      .option('--no-stream', 'print the reply when it is complete')
      .option('--stats', 'print tokens and speed after the reply');
  },
  async run(context, { args, options: flags, commander }) {
    const options = { ...flags, ...(flags.schema !== undefined && { schema: readSchema(flags.schema) }) };
    const prompt = await readPrompt(context, args);
    if (prompt === '') requireTerminal(context);
    if (prompt === '' && options.image) throw imageWithoutPrompt();
    if (prompt === '' && options.showPrompt) throw needsPrompt('--show-prompt');
    const { openTalk } = await import('../../chat/session.ts');
    const given = (flag: string) =>
      commander.getOptionValueSource(flag) === 'cli' || (flag === 'model' && commander.name() === 'run');
    const talk = openTalk(context.paths.chats, options, { request: flags, given });
    const [client, { printNotice }] = await Promise.all([
      context.connect('inference'),
      import('../../output/notice.ts'),
    ]);
    await printNotice(client, talk.options.model, context.output);
    if (prompt === '') return (await import('../../chat/converse.ts')).converse(context, client, talk);
    return (await import('../../chat/one-shot.ts')).answerOnce(context, client, talk, prompt);
  },
});

/** The flag names a file; what is in it is the schema. */
function readSchema(file: unknown): unknown {
  try {
    return JSON.parse(readFileSync(String(file), 'utf8')) as unknown;
  } catch (cause) {
    throw new Failure(
      'invalid_value',
      `${String(file)} can't be read as a JSON schema: ${(cause as Error).message}`,
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
  return new Failure('missing_required_parameter', `${flag} is for one prompt, and there is none.`, {
    details: { fix: `askd chat ${flag} "PROMPT"` },
  });
}

function imageWithoutPrompt(): Failure {
  return new Failure('missing_required_parameter', 'An image needs a prompt: what is asked about it?', {
    details: { fix: 'askd chat --image FILE "PROMPT"' },
  });
}

/** A conversation needs someone who types and a screen to show it on. */
function requireTerminal({ io, output }: Context): void {
  if (io.stdin.isTTY && io.stdout.isTTY && !output.json) return;
  throw new Failure('missing_required_parameter', 'There is no prompt.', {
    details: { fix: 'askd chat "PROMPT"' },
  });
}

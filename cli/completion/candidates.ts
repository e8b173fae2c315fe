import type { Command as Commander } from 'commander';
import type { Context } from '../context.ts';
import { SETTING_FILE_NAMES } from '../../src/config/setting-names.ts';

/** Fetches names from the daemon; none if it is not running. */
type LiveValues = (context: Context) => Promise<readonly string[]>;

const LIVE: Readonly<Record<string, LiveValues>> = {
  model: models,
  service: models,
  artifact: models,
  key: keys,
  webhook: webhooks,
  chat: chats,
  'chat session': chats,
  setting: async () => SETTING_FILE_NAMES,
};

/** The candidates for the last word, which may be empty. */
export async function candidates(
  program: Commander,
  words: readonly string[],
  context: Context,
): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  const [, flag, value] = /^(--[\w-]+)=(.*)$/.exec(typed) ?? [];
  if (flag !== undefined && value !== undefined) {
    const found = await candidates(program, [...words.slice(0, -1), flag, value], context);
    return found.map((each) => `${flag}=${each}`);
  }
  const { commander, values, option } = walk(program, words.slice(0, -1));
  const found = await possible({ commander, values, option, typed }, context);
  return [...new Set(found)].filter((each) => each.startsWith(typed)).sort();
}

type Place = { commander: Commander; values: number; option: Commander['options'][number] | undefined };

async function possible({ commander, values, option, typed }: Place & { typed: string }, context: Context) {
  if (option)
    return (
      option.argChoices ??
      live([`${commander.name()} ${option.attributeName()}`, option.attributeName()], context)
    );
  if (typed.startsWith('-'))
    return commander.options.flatMap(({ long, short }) =>
      [long, short].filter((each) => each !== undefined && each !== null),
    );
  const subcommands =
    values === 0 ? commander.commands.flatMap((each) => [each.name(), ...each.aliases()]) : [];
  if (subcommands.length > 0) return subcommands;
  const { registeredArguments } = commander;
  const argument = registeredArguments[values] ?? registeredArguments.findLast((each) => each.variadic);
  return argument ? (argument.argChoices ?? live([argument.name()], context)) : [];
}

/** The command that the words name, how many arguments it has, and whether its last option lacks a value. */
function walk(program: Commander, words: readonly string[]): Place {
  let commander = program;
  let values = 0;
  let option: Place['option'];
  for (const word of words) {
    if (option) option = undefined;
    else if (word.startsWith('-')) {
      const found = commander.options.find(({ long, short }) => long === word || short === word);
      option = found?.required ? found : undefined;
    } else {
      const next = commander.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next && values === 0) commander = next;
      else values += 1;
    }
  }
  return { commander, values, option };
}

async function live(names: readonly string[], context: Context): Promise<readonly string[]> {
  const found = names.find((name) => name in LIVE);
  try {
    return (await LIVE[found ?? '']?.(context)) ?? [];
  } catch {
    // Tab must never print an error.
    return [];
  }
}

async function models(context: Context): Promise<string[]> {
  const { data } = await (await context.reconnect()).models();
  return data.map(({ id }) => id);
}

async function chats(context: Context): Promise<string[]> {
  const { data } = await (await context.reconnect()).chats.list({ limit: 200 });
  return data.map(({ name }) => name);
}

async function keys(context: Context): Promise<string[]> {
  const found = await (await context.reconnect()).listKeys();
  return found.flatMap(({ id, key_prefix: prefix, name }) => [prefix, id, name]);
}

async function webhooks(context: Context): Promise<string[]> {
  const { webhooks: found } = await (await context.reconnect()).webhooks.list();
  return found.map(({ name }) => name);
}

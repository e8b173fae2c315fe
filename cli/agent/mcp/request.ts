import type { McpServerRequest } from '../../../src/api/management/mcp-servers.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Context } from '../../context.ts';

type Wanted = {
  name: string;
  words: readonly string[];
  url?: string;
  env?: readonly string[];
  header?: readonly string[];
  tokenStdin?: true;
};

/** The request for the options of `askd mcp add`. */
export async function toRequest(context: Context, wanted: Wanted): Promise<McpServerRequest> {
  const { name, words, url, env = [], header = [], tokenStdin } = wanted;
  const [command, ...args] = words;
  if ((command === undefined) === (url === undefined)) {
    throw new Failure('missing_required_parameter', 'Give either a program after --, or --url.', {
      details: { fix: `askd mcp add ${name} -- COMMAND, or askd mcp add ${name} --url URL` },
    });
  }
  if (command !== undefined) {
    if (header.length > 0 || tokenStdin)
      throw notFor(tokenStdin ? '--token-stdin' : '--header', 'an address');
    const variables = Object.fromEntries(env.map((each) => variable(each, context)));
    return { name, command, args, cwd: process.cwd(), env: variables };
  }
  if (env.length > 0) throw notFor('--env', 'a program');
  const headers = Object.fromEntries(header.map(headerOf));
  if (tokenStdin) headers['Authorization'] = `Bearer ${await readToken(context)}`;
  return { name, url: url ?? '', headers };
}

function variable(text: string, { environment }: Context): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  const value = environment.env[text];
  if (value !== undefined) return [text, value];
  throw new Failure('invalid_value', `The variable ${text} is not set here.`, {
    details: { fix: `askd mcp add … --env ${text || 'NAME'}=VALUE` },
  });
}

function headerOf(line: string): [string, string] {
  const found = /^([\w-]+):\s*(.+)$/.exec(line);
  if (found?.[1] && found[2]) return [found[1], found[2]];
  throw new Failure('invalid_value', '--header takes "Name: value".');
}

async function readToken({ io }: Context): Promise<string> {
  let text = '';
  for await (const part of io.stdin) text += String(part);
  const token = text.trim();
  if (/^\S+$/.test(token)) return token;
  throw new Failure('invalid_value', 'There is no token on stdin.', {
    details: { fix: 'askd mcp add NAME --url URL --token-stdin < token.txt' },
  });
}

function notFor(option: string, what: string): Failure {
  return new Failure('unsupported_parameter', `${option} is for ${what}.`, { param: option });
}

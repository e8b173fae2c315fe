import { Failure } from '../../base/errors.ts';
import type { Login } from './login/login.ts';

/** A program on this machine, or an address. */
export type Definition = { command: string; args: readonly string[]; cwd: string } | { url: string };

/** Environment variables of the program, headers of each request, and the login if the server wants one. */
export type ServerSecrets = { env: Record<string, string>; headers: Record<string, string>; login?: Login };

export type ServerDefinition = { name: string; definition: Definition; secrets: ServerSecrets };

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,31}$/;

export function checkDefinition({ name, definition }: ServerDefinition): void {
  if (!NAME.test(name)) {
    throw invalid('name', 'The name of an MCP server has 1 to 32 letters, digits, "-" and "_".');
  }
  if (!('url' in definition)) return;
  const url = URL.canParse(definition.url) ? new URL(definition.url) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    if (url.username === '' && url.password === '') return;
    throw invalid('url', 'The address must not contain a password. Give it as a header.');
  }
  throw invalid('url', `"${definition.url}" is not an address such as https://mcp.example.com/mcp.`);
}

function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}

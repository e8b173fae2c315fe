import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse, type ParseError } from 'jsonc-parser';
import type { McpServerRequest } from '../../../src/api/management/mcp-servers.ts';
import { Failure } from '../../../src/base/errors.ts';

type Entry = {
  command?: unknown;
  args?: unknown;
  env?: unknown;
  cwd?: unknown;
  url?: unknown;
  serverUrl?: unknown;
  headers?: unknown;
};

/** The servers in a configuration file of Claude Desktop, Claude Code, Cursor or VS Code. */
export function readServersFile(path: string): McpServerRequest[] {
  const file = parseFile(path);
  const servers = file['mcpServers'] ?? file['servers'];
  if (typeof servers !== 'object' || servers === null) {
    throw new Failure('invalid_value', `${path} has no "mcpServers" and no "servers".`);
  }
  return Object.entries(servers as Record<string, Entry>).map(([name, entry]) =>
    toRequest(name, entry, path),
  );
}

function parseFile(path: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const file = parse(readText(path), errors, { allowTrailingComma: true }) as unknown;
  if (errors.length === 0 && typeof file === 'object' && file !== null)
    return file as Record<string, unknown>;
  throw new Failure('invalid_value', `${path} is not JSON.`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure('not_found', `${path} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`, {
      cause,
    });
  }
}

/** Names are turned into ones that askd accepts, and programs run in the home folder, as with those clients. */
function toRequest(title: string, entry: Entry, path: string): McpServerRequest {
  const name = title
    .replace(/[^a-zA-Z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 32);
  const { command, args = [], cwd = homedir(), url = entry.serverUrl } = entry;
  if (typeof command === 'string' && isTexts(args) && typeof cwd === 'string') {
    return { name, command, args: args.map(String), cwd, env: texts(entry.env) };
  }
  if (typeof url === 'string') return { name, url, headers: texts(entry.headers) };
  throw new Failure(
    'invalid_value',
    `The server "${title}" in ${path} has neither a command nor an address.`,
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function texts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]));
}

import type { ChatToolCall } from '../../../../src/api/chat/tools.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { Asking, Toolbox } from '../toolbox.ts';
import { unifiedDiff } from './diff.ts';
import { listFiles, readText, writeText } from './files.ts';

type Arguments = Readonly<Record<string, unknown>>;
type FolderTool = {
  description: string;
  parameters: Readonly<Record<string, string>>;
  optional?: readonly string[];
  run: (folder: string, given: Arguments, asking: Asking) => string | Promise<string>;
};

const PATH = 'The path of the file, relative to the folder.';

const TOOLS: Readonly<Record<string, FolderTool>> = {
  list_files: {
    description: 'Lists the files of the folder, or of a folder in it.',
    parameters: { path: 'The folder; without it, the whole one.' },
    optional: ['path'],
    run: (folder, { path = '.' }) => listFiles(folder, String(path)).join('\n'),
  },
  read_file: {
    description: 'Reads a text file.',
    parameters: { path: PATH },
    run: (folder, given) => existing(folder, textOf(given, 'path')),
  },
  write_file: {
    description: 'Proposes a new file, or the whole new text of a file. The user accepts or denies it.',
    parameters: { path: PATH, content: 'The whole text.' },
    run: (folder, given, asking) =>
      propose({ folder, path: textOf(given, 'path'), text: textOf(given, 'content') }, asking),
  },
  edit_file: {
    description: 'Proposes to replace a text that is in a file exactly once. The user accepts or denies it.',
    parameters: { path: PATH, old_text: 'The text to replace.', new_text: 'What it becomes.' },
    run: (folder, given, asking) => {
      const path = textOf(given, 'path');
      const parts = existing(folder, path).split(textOf(given, 'old_text'));
      if (parts.length !== 2)
        throw new Failure('invalid_value', `old_text occurs ${parts.length - 1} times in ${path}, not once.`);
      return propose({ folder, path, text: parts.join(textOf(given, 'new_text')) }, asking);
    },
  },
};

/** A model's tools for the files of a folder. Nothing is written before the user has seen and accepted it. */
export function folderToolbox(folder: string): Toolbox {
  const definitions = Object.entries(TOOLS).map(([name, { description, parameters, optional = [] }]) => ({
    type: 'function' as const,
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(parameters).map(([each, text]) => [each, { type: 'string', description: text }]),
        ),
        required: Object.keys(parameters).filter((each) => !optional.includes(each)),
      },
    },
  }));
  return { definitions, call: (call, asking) => run(folder, call, asking) };
}

async function run(folder: string, call: ChatToolCall, asking: Asking): Promise<string> {
  const { name = '', arguments: text = '{}' } = call.function ?? {};
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) return `Error: there is no tool named ${name}.`;
  try {
    return await tool.run(folder, JSON.parse(text) as Arguments, asking);
  } catch (error) {
    // The model gets the reason: a path that is wrong, or arguments that are not JSON.
    if (asking.signal.aborted) throw error;
    return `Error: ${(error as Error).message}`;
  }
}

function existing(folder: string, path: string): string {
  const text = readText(folder, path);
  if (text === undefined) throw new Failure('not_found', `There is no file ${path}.`);
  return text;
}

function textOf(given: Arguments, name: string): string {
  const value = given[name];
  if (typeof value === 'string') return value;
  throw new Failure('missing_required_parameter', `The argument ${name} is missing.`);
}

type Proposal = { folder: string; path: string; text: string };

async function propose({ folder, path, text }: Proposal, { ask, signal }: Asking): Promise<string> {
  const before = readText(folder, path);
  const diff = unifiedDiff(path, before, text);
  if (diff === '') return `${path} has this text already.`;
  const answer = await ask(`${before === undefined ? 'Create' : 'Change'} ${path}`, diff);
  signal.throwIfAborted();
  if (answer === 'no') return `Error: the user did not accept the change to ${path}.`;
  writeText(folder, path, text, before);
  return `${path} is written.`;
}

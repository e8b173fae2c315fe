import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const LLAMA = new URL('../../node_modules/node-llama-cpp/llama/', import.meta.url);
const BUNDLE = fileURLToPath(new URL('gitRelease.bundle', LLAMA));
const SCHEMAS = 'tests/test-json-schema-to-grammar.cpp';
const PATHS = ['models/templates', 'grammars', SCHEMAS, ':(glob)models/ggml-vocab-*'];
const FOLDER = path.join(tmpdir(), 'askd-fixtures');

/** The chat templates of widely used models that llama.cpp's own source holds, by their names without ".jinja". */
export function bundledTemplates(): ReadonlyMap<string, string> {
  const folder = path.join(checkedOut(), 'models', 'templates');
  const files = readdirSync(folder).filter((file) => file.endsWith('.jinja'));
  return new Map(
    files.map((file) => [file.slice(0, -'.jinja'.length), readFileSync(path.join(folder, file), 'utf8')]),
  );
}

/** The example grammars of llama.cpp's source, by their names. */
export function bundledGrammars(): ReadonlyMap<string, string> {
  const folder = path.join(checkedOut(), 'grammars');
  const files = readdirSync(folder).filter((file) => file.endsWith('.gbnf'));
  return new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

/** The schemas of llama.cpp's own tests of its converter, by what each test is called, that it can say. */
export function bundledSchemas(): ReadonlyMap<string, unknown> {
  const source = readFileSync(path.join(checkedOut(), SCHEMAS), 'utf8');
  const cases = source.matchAll(/SUCCESS,\s*"((?:[^"\\]|\\.)*)",\s*(?:\/\/[^\n]*\s*)*R"""\((.*?)\)"""/gs);
  return new Map([...cases].map(([, name = '', schema = '']) => [name, JSON.parse(schema) as unknown]));
}

/** The file of a real model's vocabulary, without weights. */
export function bundledVocabulary(name: string): string {
  return path.join(checkedOut(), 'models', `ggml-vocab-${name}.gguf`);
}

/** Texts with the tokens that the vocabulary's own tokenizer cuts them into, without any added at the beginning. */
export function vocabularyExamples(name: string): { text: string; tokens: number[] }[] {
  const read = (end: string) => readFileSync(`${bundledVocabulary(name)}.${end}`, 'utf8');
  const numbers = read('out').split('\n');
  return read('inp')
    .split('\n__ggml_vocab_test__\n')
    .map((text, place) => ({ text, tokens: (numbers[place]?.match(/\d+/g) ?? []).map(Number) }));
}

/** Made once for each release; whoever is first with it puts it in place. */
function checkedOut(): string {
  const release = readFileSync(new URL('llama.cpp.info.json', LLAMA), 'utf8');
  const version = createHash('sha256').update(release + PATHS.join(' ')).digest('hex').slice(0, 12);
  const target = path.join(FOLDER, `llama-files-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(FOLDER, { recursive: true });
  const making = mkdtempSync(path.join(FOLDER, 'making-'));
  const git = (...args: string[]) => execFileSync('git', args, { stdio: 'ignore' });
  git('clone', '--quiet', '--no-checkout', BUNDLE, making);
  git('-C', making, 'checkout', '--quiet', 'HEAD', '--', ...PATHS);
  rmSync(path.join(making, '.git'), { recursive: true, force: true });
  try {
    renameSync(making, target);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

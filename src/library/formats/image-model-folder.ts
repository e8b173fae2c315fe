import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import type { DrawingFacts, ModelManifest } from '../../runtime/manifest.ts';
import { safetensorsFault } from './safetensors-header.ts';

/**
 * A manifest that somebody wrote beside the files of an image model: the files themselves do not say what each is or
 * how to sample.
 */
type Notes = {
  name?: unknown;
  licence?: unknown;
  drawing?: Partial<Record<keyof DrawingFacts, unknown>>;
  files?: Record<string, unknown>;
};

const NOTES = 'askd.json';
const EXAMPLE =
  '{"files":{"model":"flux.gguf","text-encoder":"qwen3.gguf","decoder":"vae.safetensors"},' +
  '"drawing":{"side":1024,"steps":4,"guidance":1}}';

export function isDrawingFolder(path: string): boolean {
  return existsSync(join(path, NOTES)) && readNotes(path).drawing !== undefined;
}

export function readDrawingFolder(path: string): Omit<ModelManifest, 'id' | 'services' | 'tier'> {
  const { name, licence, drawing = {}, files = {} } = readNotes(path);
  const located = Object.entries(files).map(([role, file]) => [role, locate(path, role, file)] as const);
  const { model, ...others } = Object.fromEntries(located);
  if (model === undefined) throw invalid(path, 'its "files" name no "model"');
  return {
    name: typeof name === 'string' ? name : 'An image model',
    engine: 'diffusion',
    tasks: ['draw'],
    licence: typeof licence === 'string' ? licence : 'unknown',
    path: model,
    ...(located.length > 1 && { files: others }),
    bytes: located.reduce((sum, [, file]) => sum + statSync(file).size, 0),
    contextTokensMax: 0,
    drawing: toFacts(path, drawing),
  };
}

function toFacts(path: string, drawing: NonNullable<Notes['drawing']>): DrawingFacts {
  const { side, steps, guidance, negativeGuidance } = drawing;
  if (!isPositive(side) || !isPositive(steps) || !isPositive(guidance))
    throw invalid(path, 'its "drawing" needs side, steps and guidance as numbers');
  if (negativeGuidance === undefined) return { side, steps, guidance };
  if (!isPositive(negativeGuidance)) throw invalid(path, 'its "negativeGuidance" is not a number');
  return { side, steps, guidance, negativeGuidance };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function locate(path: string, role: string, name: unknown): string {
  const isPlain = typeof name === 'string' && !/(^|[\\/])\.\.([\\/]|$)|^[\\/]|:/.test(name);
  const file = isPlain ? join(path, name) : '';
  const what = `its file for "${role}", ${JSON.stringify(name)},`;
  if (!isPlain || !statSync(file, { throwIfNoEntry: false })?.isFile())
    throw invalid(path, `${what} is not in the folder`);
  const fault = /\.safetensors$/i.test(name) ? safetensorsFault(file) : undefined;
  if (fault !== undefined) throw invalid(path, `${what} is damaged: ${fault}`);
  return file;
}

function readNotes(path: string): Notes {
  try {
    return JSON.parse(readFileSync(join(path, NOTES), 'utf8')) as Notes;
  } catch (cause) {
    throw invalid(path, `its ${NOTES} is not valid JSON`, cause);
  }
}

function invalid(path: string, reason: string, cause?: unknown): Failure {
  const message = `${path} is not a usable folder of an image model: ${reason}. An example of ${NOTES}: ${EXAMPLE}`;
  return new Failure('invalid_model_file', message, { param: 'path', cause });
}

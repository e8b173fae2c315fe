import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../errors.ts';
import type { DrawingFacts, ModelManifest } from '../runtime/manifest.ts';

/** What somebody writes beside the files of a model that draws: no file of its own says enough. */
type Notes = { drawing?: Partial<DrawingFacts>; files?: Record<string, string>; licence?: string };
const NOTES = 'askd.json';
const EXAMPLE =
  '{"drawing":{"side":512,"steps":4,"guidance":1},"files":{"model":"sd_turbo.safetensors"}}, where "files" may also ' +
  'name a "text-encoder" and a "decoder"';

export function hasDrawingNotes(folder: string): boolean {
  return readNotes(folder)?.drawing !== undefined;
}

export function readDrawingFolder(
  folder: string,
  id: string,
): Omit<ModelManifest, 'id' | 'services' | 'tier'> {
  const { drawing = {}, files = {}, licence = 'unknown' } = readNotes(folder) ?? {};
  const paths = Object.fromEntries(Object.entries(files).map(([role, name]) => [role, pathOf(folder, name)]));
  const { model: path, ...others } = paths;
  if (path === undefined) throw invalid(folder, 'its notes name no file as the "model"');
  return {
    name: id,
    engine: 'diffusion',
    tasks: ['draw'],
    licence,
    path,
    ...(Object.keys(others).length > 0 && { files: others }),
    bytes: Object.values(paths).reduce((sum, file) => sum + statSync(file).size, 0),
    contextTokensMax: 0,
    drawing: checkFacts(folder, drawing),
  };
}

function checkFacts(folder: string, facts: Partial<DrawingFacts>): DrawingFacts {
  const { side, steps, guidance = 1, negativeGuidance } = facts;
  const isWhole = (value: unknown, min: number, max: number): value is number =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  const isStrength = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 30;
  if (!isWhole(side, 16, 4096)) throw invalid(folder, '"side" is not a whole number from 16 to 4096');
  if (!isWhole(steps, 1, 100)) throw invalid(folder, '"steps" is not a whole number from 1 to 100');
  if (!isStrength(guidance) || !isStrength(negativeGuidance ?? 1)) {
    throw invalid(folder, '"guidance" and "negativeGuidance" are numbers from 0 to 30');
  }
  return { side, steps, guidance, ...(negativeGuidance !== undefined && { negativeGuidance }) };
}

function pathOf(folder: string, name: unknown): string {
  if (typeof name !== 'string' || basename(name) !== name) {
    throw invalid(folder, `${JSON.stringify(name)} is not the name of a file in it`);
  }
  const path = join(folder, name);
  if (!existsSync(path)) throw invalid(folder, `there is no ${name}`);
  return path;
}

function readNotes(folder: string): Notes | undefined {
  const path = join(folder, NOTES);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Notes;
  } catch (cause) {
    throw invalid(folder, `${NOTES} is not valid JSON`, cause);
  }
}

function invalid(folder: string, reason: string, cause?: unknown): Failure {
  const message = `${folder} is no usable folder of a model that draws: ${reason}. Its ${NOTES} is like ${EXAMPLE}.`;
  return new Failure('invalid_model_file', message, { param: 'path', cause });
}

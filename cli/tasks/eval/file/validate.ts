import { Ajv, type ErrorObject } from 'ajv';
import { didYouMean } from '../../../../src/base/did-you-mean.ts';
import type { WrittenFile } from './eval-file.ts';
import { FILE_SCHEMA } from './schema.ts';
import type { Path, WithLines } from '../../../../src/config/yaml.ts';
import { mistake } from './written.ts';

const NAMES_SHOWN = 12;

const validator = new Ajv({ strict: false, verbose: true, allErrors: true }).compile(FILE_SCHEMA);

/** Throws the first mistake with its line. */
export function validate({ value, lineOf }: WithLines, path: string): WrittenFile {
  if (validator(value)) return value as WrittenFile;
  const error = mostPrecise(validator.errors ?? []);
  const at = pathOf(error);
  throw mistake(path, lineOf(at), describe(error, at));
}

/** An unknown name explains what else is wrong. Of the branches of a choice, the one that matches furthest is meant. */
function mostPrecise(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const unknown = errors.find((error) => extraOf(error) !== undefined);
  return unknown ?? errors.toSorted((one, other) => depth(other) - depth(one))[0];
}

const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length;

function pathOf(error: ErrorObject | undefined): Path {
  const names = (error?.instancePath ?? '').split('/').slice(1);
  const extra = extraOf(error);
  return [...names, ...(extra === undefined ? [] : [extra])].map((name) =>
    /^\d+$/.test(name) ? Number(name) : name.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

function extraOf(error: ErrorObject | undefined): string | undefined {
  return (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
}

function describe(error: ErrorObject | undefined, at: Path): string {
  const name = at.findLast((each) => typeof each === 'string') ?? 'the file';
  const extra = extraOf(error);
  if (error?.keyword === 'minProperties') return 'A check is missing here, such as contains: TEXT.';
  if (error?.keyword === 'required') return `"${String(error.params['missingProperty'])}" is missing here.`;
  if (error?.keyword === 'enum') {
    const { allowedValues } = error.params as { allowedValues: readonly unknown[] };
    return `"${name}" must be one of ${allowedValues.join(', ')}.`;
  }
  if (extra === undefined) return `"${name}" ${error?.message ?? 'is not valid'}.`;
  const known = Object.keys((error?.parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const near = didYouMean(extra, known);
  const all = known.length <= NAMES_SHOWN ? ` Allowed here: ${known.join(', ')}.` : '';
  return `"${extra}" is not known here.${near || all}`;
}

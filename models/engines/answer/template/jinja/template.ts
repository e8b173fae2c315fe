import { Template } from '@huggingface/jinja';
import { Environment, PythonInterpreter } from './interpreter.ts';
import { strftime } from './strftime.ts';

/** Renders variables to text; throws errors of the template and its raise_exception(). */
export type Render = (variables: Readonly<Record<string, unknown>>) => string;

/** Throws on a syntax error. */
export function compileTemplate(source: string): Render {
  const program: unknown = new Template(source).parsed;
  return (variables) => {
    const scope = new Environment();
    for (const [name, value] of Object.entries({ ...GLOBALS, ...variables })) scope.set(name, value);
    return String(new PythonInterpreter(scope).run(program).value);
  };
}

const GLOBALS = {
  ...{ true: true, false: false, none: null, True: true, False: false, None: null },
  raise_exception(message: unknown): never {
    throw new Error(String(message));
  },
  strftime_now: (format: string) => strftime(new Date(), format),
  range,
};

function range(first: number, stop?: number, step = 1): number[] {
  const [start, end] = stop === undefined ? [0, first] : [first, stop];
  return Array.from({ length: Math.max(0, Math.ceil((end - start) / step)) }, (_, i) => start + i * step);
}

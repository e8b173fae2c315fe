import type { Candidate } from './candidate.ts';

const LENGTH_MAX = 100;

/** Ollama's names as they are; for other programs, the last part of the path, which is the descriptive one. */
export function wantedId({ program, name }: Candidate): string {
  const own = program === 'ollama' ? name.replace(/:latest$/, '') : (name.split('/').at(-1) ?? name);
  const plain = own.replace(/[^A-Za-z0-9._/:-]+/g, '-').replace(/([._/:-])[._/:-]+/g, '$1');
  return plain.slice(0, LENGTH_MAX).replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'model';
}

/** If two programs have the same name, the second gets its program's name appended, and then a number. */
export function freeId(wanted: string, { program }: Candidate, isTaken: (id: string) => boolean): string {
  const tries = [wanted, `${wanted}-${program}`];
  for (let number = 2; ; number++) {
    const id = tries.shift() ?? `${wanted}-${program}-${number}`;
    if (!isTaken(id)) return id;
  }
}

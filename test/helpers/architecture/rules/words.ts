import type { Finding, Project } from '../project.ts';

/** The {1} in a pattern keeps its own line from being found. */
const WORDS = [
  { pattern: /\bTO{1}DO\b|\bFIX{1}ME\b|\bX{3}\b|\bHA{1}CK\b/, instead: 'Do it now, or leave it out' },
  {
    pattern: /\bnot{1} implemented\b/i,
    instead: 'Build it, or say plainly what works and leave the rest unsaid',
  },
  {
    pattern: /eslint-disable.*no-floating-promise{1}s/,
    instead: 'Await the promise, or hand it to what owns it: this lint rule is never disabled',
  },
  { pattern: /@ts-ignor{1}e|@ts-nochec{1}k/, instead: 'Mend the type' },
];

export function words({ tree }: Project): Finding[] {
  return [...tree].flatMap(([path, text]) =>
    text.split('\n').flatMap((row, index) => checkRow(path, row, index + 1)),
  );
}

function checkRow(path: string, row: string, line: number): Finding[] {
  return WORDS.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(row);
    return found === null ? [] : [{ path, line, problem: `"${found[0]}" does not belong here`, instead }];
  });
}

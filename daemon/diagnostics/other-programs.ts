import { PROGRAMS } from '../../src/library/adopt/candidate.ts';
import type { Diagnostic } from './diagnostic.ts';

/** What other programs have that askd could use at once. */
export const diagnoseOtherPrograms: Diagnostic = async ({ adoption }) => {
  const { found, unreadable } = await adoption.find();
  const fresh = found.filter(
    ({ manifest, isAdopted, candidate }) => manifest && !isAdopted && candidate.program !== 'hub',
  );
  const counts = Object.entries(PROGRAMS).flatMap(([program, name]) => {
    const { length } = fresh.filter(({ candidate }) => candidate.program === program);
    return length === 0 ? [] : [`${length} ${length === 1 ? 'model' : 'models'} of ${name}`];
  });
  return [
    ...(counts.length === 0
      ? []
      : [
          {
            check: 'other programs',
            level: 'ok' as const,
            message: `${counts.join(', ')} can be used where they are: askd adopt`,
          },
        ]),
    ...unreadable.map((message) => ({ check: 'other programs', level: 'warning' as const, message })),
  ];
};

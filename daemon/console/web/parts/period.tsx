import { Choice } from './choice.tsx';

export const PERIODS = {
  '1': 'Last 24 hours',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '365': 'Last year',
  own: 'From … to …',
};
const DAY_MS = 86_400_000;

/** UTC days, as in the reports. */
export type Period = { of: keyof typeof PERIODS; from: string; to: string };

export function firstPeriod(of: Period['of'] = '30'): Period {
  return { of, from: dayAgo(30), to: dayAgo(0) };
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

export function daysOf({ of, from, to }: Period): number {
  return of === 'own' ? (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 : Number(of);
}

/** The `from` and `to` of a report. Both days are included. */
export function rangeOf(period: Period): { from: string; to?: string } {
  if (period.of !== 'own') return { from: new Date(Date.now() - Number(period.of) * DAY_MS).toISOString() };
  return {
    from: `${period.from}T00:00:00Z`,
    to: new Date(Date.parse(period.to) + DAY_MS).toISOString(),
  };
}

export function PeriodChoice({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const set = (part: Partial<Period>) => onChange({ ...period, ...part });
  return (
    <>
      <Choice label="Period" value={period.of} options={PERIODS} onChange={(of) => set({ of })} />
      {period.of === 'own' &&
        (['from', 'to'] as const).map((name) => (
          <label key={name} className="row">
            <span className="quiet small">{name === 'from' ? 'From' : 'To'}</span>
            <input
              type="date"
              className="inline"
              required
              value={period[name]}
              {...(name === 'from' ? { max: period.to } : { min: period.from })}
              onChange={({ target: { value } }) => value !== '' && set({ [name]: value })}
            />
          </label>
        ))}
    </>
  );
}

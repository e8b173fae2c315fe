import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ApiKey } from '../../../../../src/api/account/keys.ts';
import type { Usage as UsageReport } from '../../../../../src/api/account/usage.ts';
import { call } from '../../data/api.ts';
import { credits, number, short } from '../../data/format.ts';
import { role } from '../../data/person.ts';
import { Choice } from '../../parts/choice.tsx';
import { daysOf, firstPeriod, PeriodChoice, rangeOf, type Period } from '../../parts/period.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Chart, COLOURS } from './chart.tsx';
import { measureOf, namesOf, seriesOf, timesOf, type Group, type Measure } from './report.ts';
import { toCsv } from './csv.ts';

const MEASURES: Record<Measure, string> = { credits: 'Credits', tokens: 'Tokens', requests: 'Requests' };
const GROUPS: Record<Group, string> = { model: 'Model', key: 'API key', task: 'Service' };
const BUCKETS = { day: 'Day', hour: 'Hour' };
/** A report covers at most a thousand hours. */
const HOURLY_DAYS_MAX = 41;

/** With `?key=`, the usage of one API key. */
export function Usage() {
  const [search, setSearch] = useSearchParams();
  const key = search.get('key');
  const [period, setPeriod] = useState(() => firstPeriod());
  const [bucket, setBucket] = useState<keyof typeof BUCKETS>('day');
  const [measure, setMeasure] = useState<Measure>('credits');
  const [group, setGroup] = useState<Group>('model');
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: () => call<ApiKey[]>('GET', '/api/keys'),
    enabled: role() === 'owner',
  });
  const days = daysOf(period);
  const width = days <= 1 || (bucket === 'hour' && days <= HOURLY_DAYS_MAX) ? 'hour' : 'day';
  const { data: usage, error } = useQuery({
    queryKey: ['usage', period, width, group, key],
    queryFn: () => call<UsageReport>('GET', `/api/usage?${queryOf({ period, width, group, key })}`),
    placeholderData: (before) => before,
  });
  const nameOf = useMemo(() => namesOf(group, keys.data ?? []), [group, keys.data]);
  return (
    <>
      <h1>Usage</h1>
      {key !== null && (
        <div className="row">
          <span>
            Only the key <strong>{namesOf('key', keys.data ?? [])({ key })}</strong>
          </span>
          <button type="button" onClick={() => setSearch({})}>
            Show all keys
          </button>
        </div>
      )}
      <div className="row">
        <PeriodChoice period={period} onChange={setPeriod} />
        <Choice label="For each" value={width} options={BUCKETS} onChange={setBucket} />
        <Choice label="Measure" value={measure} options={MEASURES} onChange={setMeasure} />
        <Choice label="By" value={group} options={GROUPS} onChange={setGroup} />
        {usage && <Download usage={usage} nameOf={nameOf} />}
      </div>
      {bucket === 'hour' && width === 'day' && (
        <p className="quiet small">Hours are shown for periods of up to {HOURLY_DAYS_MAX} days.</p>
      )}
      <Problem error={error ?? keys.error} />
      {usage && <Report usage={usage} measure={measure} nameOf={nameOf} />}
    </>
  );
}

type Question = { period: Period; width: keyof typeof BUCKETS; group: Group; key: string | null };

function queryOf({ period, width, group, key }: Question): URLSearchParams {
  return new URLSearchParams({
    ...rangeOf(period),
    bucket: width,
    group_by: group,
    ...(key !== null && { key }),
  });
}

type Reported = { usage: UsageReport; nameOf: ReturnType<typeof namesOf> };

function Report({ usage, measure, nameOf }: Reported & { measure: Measure }) {
  const series = useMemo(() => seriesOf(usage, measure, nameOf), [usage, measure, nameOf]);
  const times = useMemo(() => timesOf(usage), [usage]);
  const total = measureOf(usage.total, measure);
  if (series.length === 0) return <p className="card quiet">No requests in this period.</p>;
  return (
    <>
      <section className="card">
        <Chart
          times={times}
          series={series}
          measure={measure}
          label={`${MEASURES[measure]} over time; the table below has the totals`}
        />
      </section>
      <section className="card scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th className="number">{MEASURES[measure]}</th>
              <th className="number">Share</th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ name, total: part }, index) => (
              <tr key={name}>
                <td>
                  <svg className="dot" viewBox="0 0 10 10" aria-hidden="true">
                    <circle cx="5" cy="5" r="5" fill={COLOURS[index % COLOURS.length]} />
                  </svg>{' '}
                  {name}
                </td>
                <td className="number">{amount(measure, part)}</td>
                <td className="number">{total > 0 ? `${((part / total) * 100).toFixed(1)} %` : '–'}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                Total <span className="quiet">({requestsOf(usage.total.requests)})</span>
              </th>
              <td className="number">{amount(measure, total)}</td>
              <td />
            </tr>
          </tfoot>
        </table>
      </section>
    </>
  );
}

function requestsOf(count: number): string {
  return count === 1 ? '1 request' : `${short(count)} requests`;
}

function amount(measure: Measure, value: number): string {
  return measure === 'credits' ? credits(value) : number(value);
}

function Download({ usage, nameOf }: Reported) {
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([toCsv(usage, nameOf)], { type: 'text/csv' }));
    link.download = 'usage.csv';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
  };
  return (
    <button type="button" onClick={save}>
      Download CSV
    </button>
  );
}

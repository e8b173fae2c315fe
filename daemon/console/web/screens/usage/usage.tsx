import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ApiKey } from '../../../../../src/api/account/keys.ts';
import type { Usage as UsageReport } from '../../../../../src/api/account/usage.ts';
import { call } from '../../data/api.ts';
import { credits, number, short } from '../../data/format.ts';
import { Choice } from '../../parts/choice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Chart, COLOURS } from './chart.tsx';
import { measureOf, namesOf, seriesOf, timesOf, type Group, type Measure } from './report.ts';
import { toCsv } from './csv.ts';

const PERIODS = { '1': 'Last 24 hours', '7': 'Last 7 days', '30': 'Last 30 days', '365': 'Last year' };
const MEASURES: Record<Measure, string> = { credits: 'Credits', tokens: 'Tokens', requests: 'Requests' };
const GROUPS: Record<Group, string> = { model: 'Model', key: 'API key', task: 'Service' };
const DAY_MS = 86_400_000;

export function Usage() {
  const [days, setDays] = useState<keyof typeof PERIODS>('30');
  const [measure, setMeasure] = useState<Measure>('credits');
  const [group, setGroup] = useState<Group>('model');
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => call<ApiKey[]>('GET', '/api/keys') });
  const { data: usage, error } = useQuery({
    queryKey: ['usage', days, group],
    queryFn: () => call<UsageReport>('GET', `/api/usage?${queryOf(Number(days), group)}`),
    placeholderData: (before) => before,
  });
  const nameOf = useMemo(() => namesOf(group, keys.data ?? []), [group, keys.data]);
  return (
    <>
      <h1>Usage</h1>
      <div className="row">
        <Choice label="Period" value={days} options={PERIODS} onChange={setDays} />
        <Choice label="Measure" value={measure} options={MEASURES} onChange={setMeasure} />
        <Choice label="By" value={group} options={GROUPS} onChange={setGroup} />
        {usage && <Download usage={usage} nameOf={nameOf} />}
      </div>
      <Problem error={error ?? keys.error} />
      {usage && <Report usage={usage} measure={measure} nameOf={nameOf} />}
    </>
  );
}

function queryOf(days: number, group: Group): URLSearchParams {
  const from = new Date(Date.now() - days * DAY_MS).toISOString();
  return new URLSearchParams({ from, bucket: days === 1 ? 'hour' : 'day', group_by: group });
}

type Reported = { usage: UsageReport; nameOf: ReturnType<typeof namesOf> };

function Report({ usage, measure, nameOf }: Reported & { measure: Measure }) {
  const series = useMemo(() => seriesOf(usage, measure, nameOf), [usage, measure, nameOf]);
  const times = useMemo(() => timesOf(usage), [usage]);
  const total = measureOf(usage.total, measure);
  if (series.length === 0) return <p className="card quiet">No requests in this time.</p>;
  return (
    <>
      <section className="card">
        <Chart
          times={times}
          series={series}
          measure={measure}
          label={`${MEASURES[measure]} over time; the table below has the sums`}
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

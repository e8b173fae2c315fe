import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type uPlot from 'uplot';
import type { WalletHistory } from '../../../../../src/api/account/wallet-history.ts';
import { call } from '../../data/api.ts';
import { credits } from '../../data/format.ts';
import { daysOf, firstPeriod, PeriodChoice, rangeOf } from '../../parts/period.tsx';
import { axesOf, timeOf } from '../../parts/plot-axes.ts';
import { Plot } from '../../parts/plot.tsx';
import { Problem } from '../../parts/problem.tsx';

const HOURLY_DAYS_MAX = 7;

/** `balance` is the current one, which the report may not include yet. */
export function BalanceChart({ balance }: { balance: number }) {
  const [period, setPeriod] = useState(() => firstPeriod());
  const bucket = daysOf(period) <= HOURLY_DAYS_MAX ? 'hour' : 'day';
  const { data: history, error } = useQuery({
    queryKey: ['wallet-history', period, bucket],
    queryFn: () =>
      call<WalletHistory>(
        'GET',
        `/api/wallet/history?${new URLSearchParams({ ...rangeOf(period), bucket })}`,
      ),
    placeholderData: (before) => before,
  });
  const rows = useMemo(() => withNow(history, balance), [history, balance]);
  return (
    <section className="card" aria-label="Balance over time">
      <div className="row apart">
        <h2>Balance over time</h2>
        <div className="row">
          <PeriodChoice period={period} onChange={setPeriod} />
        </div>
      </div>
      <Problem error={error} />
      {rows.length > 0 && <Line rows={rows} />}
      <details>
        <summary>As a table</summary>
        <div className="scroll balances" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{bucket === 'hour' ? 'Hour from' : 'Day'} (UTC)</th>
                <th className="number">Balance at its end</th>
              </tr>
            </thead>
            <tbody>
              {[...rows].reverse().map(({ start, balance: amount }) => (
                <tr key={start}>
                  <td>{bucket === 'hour' ? start.slice(0, 16).replace('T', ' ') : start.slice(0, 10)}</td>
                  <td className="number">{credits(amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

type Row = WalletHistory['data'][number];

/** The last bucket is still in progress. */
function withNow(history: WalletHistory | undefined, balance: number): Row[] {
  const rows = history?.data ?? [];
  const isNow = history !== undefined && Date.parse(history.to) > Date.now();
  return rows.map((row, index) => (isNow && index === rows.length - 1 ? { ...row, balance } : row));
}

function Line({ rows }: { rows: readonly Row[] }) {
  const data = useMemo(
    () =>
      [
        rows.map(({ start }) => Date.parse(start) / 1000),
        rows.map(({ balance }) => balance),
      ] as uPlot.AlignedData,
    [rows],
  );
  const options = useCallback(optionsOf, []);
  const describe = (index: number) =>
    `${timeOf(data[0][index])}: ${credits(rows[index]?.balance ?? 0)} credits`;
  return <Plot data={data} options={options} label="Balance over time" describe={describe} />;
}

function optionsOf(style: CSSStyleDeclaration): Omit<uPlot.Options, 'width' | 'height'> {
  return {
    scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: axesOf(style, credits),
    series: [
      { label: 'Time', value: (_plot, at) => timeOf(at) },
      {
        label: 'Balance',
        stroke: '#3b82d6',
        fill: 'rgb(59 130 214 / 14%)',
        width: 2,
        value: (_plot, value: number | null) => (value === null ? '–' : credits(value)),
      },
    ],
  };
}

import { useCallback, useMemo } from 'react';
import uPlot from 'uplot';
import { credits, number } from '../../data/format.ts';
import { axesOf, timeOf } from '../../parts/plot-axes.ts';
import { Plot } from '../../parts/plot.tsx';
import type { Measure, Series } from './report.ts';

export const COLOURS = ['#3b82d6', '#2fa37c', '#d98a29', '#a668cf', '#d1556f', '#4aa8b8', '#8a8f98'];

type Props = { times: number[]; series: readonly Series[]; measure: Measure; label: string };

/** Stacked bars over time. */
export function Chart({ times, series, measure, label }: Props) {
  const data = useMemo(() => [times, ...stacked(series)] as uPlot.AlignedData, [times, series]);
  const format = measure === 'credits' ? credits : number;
  const options = useCallback(
    (style: CSSStyleDeclaration) => optionsOf(style, { series, format }),
    [series, format],
  );
  const describe = (index: number) =>
    `${timeOf(times[index])}: ${series.map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`).join(', ')}`;
  return <Plot data={data} options={options} label={label} describe={describe} />;
}

/** From the top of the stack down, so that each bar is drawn over the ones behind it. */
function stacked(series: readonly Series[]): number[][] {
  const sums: number[][] = [];
  series.forEach(({ values }, index) => {
    const below = sums[index - 1];
    sums.push(values.map((value, at) => value + (below?.[at] ?? 0)));
  });
  return sums.reverse();
}

type Shown = { series: readonly Series[]; format: (value: number) => string };

function optionsOf(style: CSSStyleDeclaration, { series, format }: Shown) {
  const bars = uPlot.paths.bars?.({ size: [0.7, 60], align: 1 });
  const shown = series
    .map((one, index) => ({ ...one, colour: COLOURS[index % COLOURS.length] ?? '' }))
    .reverse();
  return {
    cursor: { points: { show: false } },
    scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: axesOf(style, format),
    series: [
      { value: (_plot, at) => timeOf(at) },
      ...shown.map(({ name, values, colour }) => ({
        label: name,
        fill: colour,
        stroke: colour,
        width: 0,
        ...(bars && { paths: bars }),
        points: { show: false },
        value: (_plot: uPlot, _sum: number, _series: number, at: number | null) =>
          at === null ? '–' : format(values[at] ?? 0),
      })),
    ],
  } satisfies Omit<uPlot.Options, 'width' | 'height'>;
}

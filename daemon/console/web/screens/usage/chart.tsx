import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { credits, number } from '../../data/format.ts';
import type { Measure, Series } from './report.ts';
import './chart.css';

const HEIGHT = 280;
export const COLOURS = ['#3b82d6', '#2fa37c', '#d98a29', '#a668cf', '#d1556f', '#4aa8b8', '#8a8f98'];

type Props = { times: number[]; series: readonly Series[]; measure: Measure; label: string };

/** Stacked bars over time; a drag zooms in, a double click shows everything again. */
export function Chart({ times, series, measure, label }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(
      options(element, { times, series, measure }),
      [times, ...stacked(series)] as uPlot.AlignedData,
      element,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [times, series, measure]);
  return <div ref={place} className="chart" role="img" aria-label={label} />;
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

function options(element: HTMLElement, { times, series, measure }: Omit<Props, 'label'>): uPlot.Options {
  const style = getComputedStyle(element);
  const format = measure === 'credits' ? credits : number;
  const axis = {
    stroke: style.color,
    font: '12px system-ui',
    grid: { stroke: 'rgb(128 128 128 / 18%)', width: 1 },
    ticks: { show: false },
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 60], align: 1 });
  const shown = series
    .map((one, index) => ({ ...one, colour: COLOURS[index % COLOURS.length] ?? '' }))
    .reverse();
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { points: { show: false } },
    scales: {
      x: { range: (_plot, least, most) => [least, most + step(times)] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [axis, { ...axis, size: 70, values: (_plot, values) => values.map((value) => format(value)) }],
    series: [
      {
        value: (_plot, at) =>
          at === null ? '' : `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      },
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
  };
}

function step(times: readonly number[]): number {
  return (times[1] ?? 86_400) - (times[0] ?? 0);
}

import type uPlot from 'uplot';

export function axesOf(style: CSSStyleDeclaration, format: (value: number) => string): uPlot.Axis[] {
  const axis = {
    stroke: style.color,
    font: '12px system-ui',
    grid: { stroke: 'rgb(128 128 128 / 18%)', width: 1 },
    ticks: { show: false },
  };
  return [axis, { ...axis, size: 70, values: (_plot, values) => values.map((value) => format(value)) }];
}

export function timeOf(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '';
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

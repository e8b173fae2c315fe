import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { endOf, movedBy, scaledBy, type Span } from './plot-span.ts';

const HEIGHT = 280;

type Props = {
  data: uPlot.AlignedData;
  /** All options except size and time scale. `style` has the colours of the page. */
  options: (style: CSSStyleDeclaration) => Omit<uPlot.Options, 'width' | 'height'>;
  label: string;
  /** A description of what is at a position. */
  describe: (index: number) => string;
};

/** A chart over time. Dragging zooms in, and so do the keys, which also read out what is at the cursor. */
export function Plot({ data, options, label, describe }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const zoom = useRef<Span>(undefined);
  const [isZoomed, setZoomed] = useState(false);
  const [said, setSaid] = useState('');
  const times = data[0];

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const keep = ({ scales: { x } }: uPlot) => {
      const isWhole = x?.min === times[0] || x?.min == null;
      zoom.current = isWhole && x?.max === endOf(times) ? undefined : { from: x?.min ?? 0, to: x?.max ?? 0 };
      setZoomed(zoom.current !== undefined);
    };
    const made = new uPlot(complete(options(getComputedStyle(element)), element, times, keep), data, element);
    plot.current = made;
    if (zoom.current) made.setScale('x', { min: zoom.current.from, max: zoom.current.to });
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [data, options, times]);

  const show = (span: Span) => plot.current?.setScale('x', { min: span.from, max: span.to });
  const whole = { from: times[0] ?? 0, to: endOf(times) };
  const onKey = (event: KeyboardEvent) => {
    const span = zoom.current ?? whole;
    const index = plot.current?.cursor.idx ?? times.length - 1;
    const at = times[index] ?? span.from;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      const next = Math.min(times.length - 1, Math.max(0, index + step));
      const time = times[next] ?? 0;
      if (zoom.current && (time < span.from || time >= span.to)) show(movedBy(span, step, whole));
      plot.current?.setCursor({ left: plot.current.valToPos(time, 'x') + 1, top: HEIGHT / 2 });
      setSaid(describe(next));
    } else if (event.key === '+' || event.key === '=') show(scaledBy(span, 0.5, at, whole));
    else if (event.key === '-') show(scaledBy(span, 2, at, whole));
    else if (event.key === '0') show(whole);
    else return;
    event.preventDefault();
  };
  return (
    <div className="plot">
      <div
        ref={place}
        className="chart"
        role="application"
        aria-roledescription="chart"
        aria-label={`${label}. Arrow keys read values, plus and minus zoom, zero shows everything.`}
        tabIndex={0}
        onKeyDown={onKey}
      />
      <div className="row apart">
        <span className="quiet small">Drag to zoom, or use the keys ← → + − 0.</span>
        <button type="button" disabled={!isZoomed} onClick={() => show(whole)}>
          Show everything
        </button>
      </div>
      <span className="hidden" role="status">
        {said}
      </span>
    </div>
  );
}

function complete(
  options: Omit<uPlot.Options, 'width' | 'height'>,
  element: HTMLElement,
  times: ArrayLike<number>,
  keep: (plot: uPlot) => void,
): uPlot.Options {
  return {
    ...options,
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      ...options.scales,
      // The last bucket has a width too.
      x: { range: (_plot, from, to) => [from, to === times[times.length - 1] ? endOf(times) : to] },
    },
    hooks: { setScale: [(plot, key) => key === 'x' && keep(plot)] },
  };
}

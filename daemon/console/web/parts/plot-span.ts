export type Span = { from: number; to: number };

/** Where the last bucket ends. */
export function endOf(times: ArrayLike<number>): number {
  const last = times[times.length - 1] ?? 0;
  return last + (times.length > 1 ? last - (times[times.length - 2] ?? 0) : 86_400);
}

/** Zooms within the whole, around a place that stays fixed. */
export function scaledBy({ from, to }: Span, factor: number, at: number, whole: Span): Span {
  const least = (whole.to - whole.from) / 500;
  const width = Math.max((to - from) * factor, least);
  if (width >= whole.to - whole.from) return whole;
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return within(at - width * share, width, whole);
}

export function movedBy({ from, to }: Span, step: number, whole: Span): Span {
  const width = to - from;
  return within(from + (step * width) / 2, width, whole);
}

function within(from: number, width: number, whole: Span): Span {
  const first = Math.min(Math.max(from, whole.from), whole.to - width);
  return { from: first, to: first + width };
}

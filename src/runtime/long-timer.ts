import type { Clock } from '../base/clock.ts';

/** The longest delay of a Node timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Fires once, at the time that it was last set to. */
export function createLongTimer({ clock, ring }: { clock: Clock; ring: () => void }) {
  let timer: NodeJS.Timeout | undefined;
  let setTo: number | undefined;
  clock.onMove?.(() => {
    const at = setTo;
    off();
    set(at);
  });

  function off(): void {
    clearTimeout(timer);
    setTo = undefined;
  }

  function set(at: number | undefined): void {
    if (at === setTo) return;
    off();
    if (at === undefined || at === Infinity) return;
    setTo = at;
    const ms = Math.min(Math.max(at - clock.now(), 1), TIMER_MS_MAX);
    timer = setTimeout(() => {
      setTo = undefined;
      ring();
    }, ms).unref();
  }

  return { set, off };
}

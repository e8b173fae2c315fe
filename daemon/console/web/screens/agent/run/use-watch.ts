import { useEffect, useState } from 'react';
import { useRefresh } from '../data.ts';
import { joinedAgain, NOTHING, withEvent, type Watched } from './run-state.ts';
import { watch } from './watch.ts';

type State = { watched: Watched; isLost: boolean; error?: Error };

const START: State = { watched: NOTHING, isLost: false };

/** What a run has done so far, live until it ends. A finished run is replayed from its records. */
export function useWatch(run: string): State {
  const [state, setState] = useState(START);
  const refresh = useRefresh();
  useEffect(() => {
    const controller = new AbortController();
    const patch = (next: (now: State) => State) => {
      if (!controller.signal.aborted) setState(next);
    };
    patch(() => START);
    watch({
      run,
      onJoined: () => patch(({ watched }) => ({ watched: joinedAgain(watched), isLost: false })),
      onEvent: (event) => patch((now) => ({ ...now, watched: withEvent(now.watched, event) })),
      onLost: () => patch((now) => ({ ...now, isLost: true })),
      signal: controller.signal,
    }).then(
      () => controller.signal.aborted || refresh(),
      (error: Error) => patch((now) => ({ ...now, error })),
    );
    return () => controller.abort(new Error('Its page was left.'));
    // Only another run needs another stream.
  }, [run]);
  return state;
}

import { useEffect } from 'react';
import { useRecordedEvents } from '../../../data/live.ts';
import { chargesIn, withCharges } from './state/charges.ts';
import { changePane } from './state/playground.ts';
import { change, usePlayground } from './state/store.ts';

/** Shows what each answer cost beside it, as soon as the daemon has recorded it. */
export function useCharges(): void {
  const events = useRecordedEvents();
  const { panes } = usePlayground();
  useEffect(() => {
    const charges = chargesIn(events);
    for (const index of panes.keys())
      change((state) =>
        changePane(state, index, (pane) => {
          const turns = withCharges(pane.turns, charges);
          return turns === pane.turns ? pane : { ...pane, turns };
        }),
      );
  }, [events, panes]);
}

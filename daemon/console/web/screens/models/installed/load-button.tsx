import { useLive } from '../../../data/live.ts';
import { Problem } from '../../../parts/problem.tsx';
import { load, unload, useChange } from '../data.ts';

/** Its text shows the state that the daemon last reported. */
export function LoadButton({ artifact }: { artifact: string }) {
  const loaded = useLive().latest?.status.models.some((model) => model.artifact === artifact) ?? false;
  const changing = useChange(() => (loaded ? unload(artifact) : load({ model: artifact })));
  const action = loaded ? 'Unload' : 'Load';
  return (
    <>
      <button
        type="button"
        aria-label={`${action} ${artifact}`}
        disabled={changing.isPending}
        onClick={() => changing.mutate()}
      >
        {changing.isPending ? `${action}ing…` : action}
      </button>
      <Problem error={changing.error} />
    </>
  );
}

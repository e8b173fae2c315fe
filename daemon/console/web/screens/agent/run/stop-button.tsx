import { useMutation } from '@tanstack/react-query';
import { ask } from '../../../data/playground-key.ts';
import { Problem } from '../../../parts/problem.tsx';
import { runPath, useRefresh } from '../data.ts';

export function StopButton({ run }: { run: string }) {
  const refresh = useRefresh();
  const stopping = useMutation({
    mutationFn: () => ask('POST', `${runPath(run)}/cancel`),
    onSettled: refresh,
  });
  return (
    <div className="row">
      <button type="button" disabled={stopping.isPending} onClick={() => stopping.mutate()}>
        {stopping.isPending ? 'Stopping…' : 'Stop'}
      </button>
      <Problem error={stopping.error} />
    </div>
  );
}

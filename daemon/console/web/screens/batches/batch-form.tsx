import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { Batch } from '../../../../../src/api/tasks/batches.ts';
import type { FileObject } from '../../../../../src/api/tasks/files.ts';
import { infer } from '../../data/playground-key.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { firstUrl } from './first-url.ts';

type Props = { onDone: (id: string) => void; onClose: () => void };

export function BatchForm({ onDone, onClose }: Props) {
  const queries = useQueryClient();
  const creating = useMutation({
    mutationFn: create,
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['batches'] });
      onDone(id);
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const file = new FormData(event.currentTarget).get('file');
    if (file instanceof File) creating.mutate(file);
  };
  return (
    <Dialog title="Create a batch" onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          <span className="label">File of requests</span>
          <input name="file" type="file" required accept=".jsonl,.ndjson,.txt,application/jsonl" />
        </label>
        <p className="quiet small">
          One request per line, all to the same address and model:{' '}
          <code>
            {'{"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": …}}'}
          </code>
        </p>
        <Problem error={creating.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={creating.isPending}>
            {creating.isPending ? 'Uploading…' : 'Create'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

async function create(file: File): Promise<Batch> {
  const endpoint = await firstUrl(file);
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', file);
  const { id } = (await (await infer('/v1/files', form)).json()) as FileObject;
  const wanted = { input_file_id: id, endpoint, completion_window: '24h' };
  return (await (await infer('/v1/batches', wanted)).json()) as Batch;
}

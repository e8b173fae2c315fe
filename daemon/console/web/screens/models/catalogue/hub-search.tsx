import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call } from '../../../data/api.ts';
import { short } from '../../../data/format.ts';
import { Problem } from '../../../parts/problem.tsx';
import { PullDialog } from './pull-dialog.tsx';

type Found = { repo: string; downloads: number; likes: number; licence: string | null };

/** Search results, and names typed in full, are pulled by name. */
export function HubSearch() {
  const [text, setText] = useState('');
  const [pulling, setPulling] = useState<string>();
  const searching = useMutation({
    mutationFn: (words: string) => call<{ models: Found[] }>('POST', '/api/daemon/search', { text: words }),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.startsWith('hf:')) setPulling(text.trim());
    else searching.mutate(text);
  };
  return (
    <section className="card" aria-labelledby="hub">
      <h2 id="hub">The hub</h2>
      <form className="filters" onSubmit={submit}>
        <label className="field">
          <span className="label">Search the hub, or name a repository</span>
          <input
            type="search"
            required
            maxLength={200}
            value={text}
            placeholder="qwen3 gguf, or hf:org/repo:Q4_K_M"
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <button type="submit" disabled={searching.isPending}>
          {text.startsWith('hf:') ? 'Download' : 'Search'}
        </button>
      </form>
      <Problem error={searching.error} />
      <p className="small quiet" role="status">
        {searching.isPending
          ? 'Searching…'
          : searching.data && `${searching.data.models.length} models found`}
      </p>
      <div>
        {searching.data?.models.map((found) => (
          <Repository key={found.repo} found={found} onPull={setPulling} />
        ))}
      </div>
      {pulling !== undefined && <PullDialog model={pulling} onClose={() => setPulling(undefined)} />}
    </section>
  );
}

function Repository({
  found: { repo, downloads, likes, licence },
  onPull,
}: {
  found: Found;
  onPull: (model: string) => void;
}) {
  return (
    <article className="model" aria-label={repo}>
      <div className="row apart">
        <span className="name">{repo}</span>
        <button type="button" aria-label={`Download ${repo}`} onClick={() => onPull(`hf:${repo}`)}>
          Download
        </button>
      </div>
      <span className="small quiet">
        {short(downloads)} downloads, {short(likes)} likes, licence {licence ?? 'not stated'}
      </span>
    </article>
  );
}

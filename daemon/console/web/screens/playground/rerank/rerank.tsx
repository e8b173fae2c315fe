import type { RerankResult } from '../../../../../../src/api/tasks/rerank.ts';
import { CheckField, ChoiceField, InputField, NumberField, TextField } from '../form/fields.tsx';
import { ServiceForm } from '../form/service-form.tsx';
import { numberOf, SEPARATORS, textsOf, type Separator } from '../form/texts.ts';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun } from '../form/use-run.ts';
import { EXAMPLES } from './examples.ts';
import { Ranking, type Ranked } from './ranking.tsx';
import './rerank.css';

const PATH = '/v1/rerank';
const EMPTY = {
  model: 'svc-rerank-v1',
  query: '',
  documents: '',
  separator: 'line' as Separator,
  topN: '',
  tokensMax: '',
  returnsDocuments: false,
};
type Fields = typeof EMPTY;
type Answer = { ranked: Ranked[]; total: number };

export function Rerank() {
  const [fields, change] = useRemembered<Fields>('rerank', EMPTY);
  const { run, start, stop } = useRun<Answer>('rerank');
  const set = (part: Partial<Fields>) => change((all) => ({ ...all, ...part }));
  const rank = (wanted: Fields) =>
    start(async ({ send, show }) => {
      const { results } = (await (await send(PATH, toBody(wanted))).json()) as RerankResult;
      const given = textsOf(wanted.documents, wanted.separator);
      const ranked = results.map(({ index, relevance_score: score, document }) => ({
        ...{ index, score },
        text: document ?? given[index] ?? '',
      }));
      show(() => ({ ranked, total: given.length }));
    });
  const isReady = fields.query.trim() !== '' && textsOf(fields.documents, fields.separator).length > 0;
  return (
    <ServiceForm
      name="Rerank"
      categories={['rerank', 'embedding']}
      model={fields.model}
      onModel={(model) => set({ model })}
      action="Rank"
      isReady={isReady}
      run={run}
      onRun={() => void rank(fields)}
      onStop={stop}
      examples={EXAMPLES.map(({ name, ...example }) => ({
        name,
        run: () => {
          const next: Fields = { ...fields, ...example, separator: 'line' };
          change(() => next);
          void rank(next);
        },
      }))}
      request={{ path: PATH, body: toBody(fields) }}
      settings={<Settings fields={fields} set={set} />}
      result={run.answer && <Ranking {...run.answer} />}
    >
      <InputField label="Query" value={fields.query} onChange={(query) => set({ query })} />
      <TextField
        label="Documents"
        value={fields.documents}
        onChange={(documents) => set({ documents })}
        placeholder="Texts that may answer the query"
      />
    </ServiceForm>
  );
}

function Settings({ fields, set }: { fields: Fields; set: (part: Partial<Fields>) => void }) {
  return (
    <>
      <ChoiceField
        label="Documents are"
        value={fields.separator}
        options={SEPARATORS}
        onChange={(separator) => set({ separator: separator as Separator })}
      />
      <NumberField
        label="Best results only"
        value={fields.topN}
        onChange={(topN) => set({ topN })}
        min={1}
        placeholder="all"
      />
      <NumberField
        label="Tokens per document"
        value={fields.tokensMax}
        onChange={(tokensMax) => set({ tokensMax })}
        min={1}
        placeholder="all"
        hint="Longer documents are cut."
      />
      <CheckField
        label="Return the documents"
        value={fields.returnsDocuments}
        onChange={(returnsDocuments) => set({ returnsDocuments })}
      />
    </>
  );
}

function toBody({ model, query, documents, separator, topN, tokensMax, returnsDocuments }: Fields) {
  return {
    model,
    query,
    documents: textsOf(documents, separator),
    top_n: numberOf(topN),
    max_tokens_per_doc: numberOf(tokensMax),
    return_documents: returnsDocuments ? true : undefined,
  };
}

import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { AgentRun } from '../../../../../../src/api/tasks/agent.ts';
import { ask, infer } from '../../../data/playground-key.ts';
import { Problem } from '../../../parts/problem.tsx';
import { findModel, useChatModels } from '../../playground/chat/models.ts';
import { MissingModel } from '../../playground/form/missing-model.tsx';
import { isMissing } from '../../playground/form/service-models.ts';
import { useRemembered } from '../../playground/form/use-remembered.ts';
import { RequestCode } from '../../playground/request-code.tsx';
import { runPath, useRefresh } from '../data.ts';
import { StopButton } from '../run/stop-button.tsx';
import { DEFAULTS, problemsOf, toBody, type Options } from './options.ts';
import { OptionsForm } from './options-form.tsx';
import '../../playground/form/service-form.css';
import '../../playground/playground.css';

const EXAMPLES = [
  { name: 'a calculation', mode: 'research', query: 'How many days lie between 1889-03-31 and 1969-07-20?' },
  { name: 'a program', mode: 'coding', query: 'How many prime numbers are there below 5000?' },
] as const;

type Example = (typeof EXAMPLES)[number];

type Props = {
  /** Runs of a conversation that the question continues. */
  session?: string;
  /** The run of the session that is in progress. */
  running?: string | undefined;
  /** A question to ask again. */
  suggested?: { query: string } | undefined;
  /** Above the question in a conversation, otherwise below it. */
  children?: ReactNode;
};

export const useOptions = () => useRemembered<Options>('agent options', DEFAULTS);

export function AskForm({ session, running, suggested, children }: Props) {
  const [options, changeOptions] = useOptions();
  const [query, changeQuery] = useRemembered(`agent ${session ?? 'question'}`, '');
  const starting = useStart();
  const { models } = useChatModels();
  const field = useRef<HTMLTextAreaElement>(null);
  const model = findModel(models, options.model);
  const problems = problemsOf(options);
  const isReady =
    query.trim() !== '' && Object.keys(problems).length === 0 && !(model && isMissing(model)) && !running;
  const write = (text: string) => {
    changeQuery(() => text);
    field.current?.focus();
  };
  useSuggested(suggested, write);
  const choose = ({ query: example, mode }: Example) => {
    changeOptions((now) => ({ ...now, mode }));
    write(example);
  };
  const submit = () => {
    if (!isReady || starting.isPending) return;
    const body = toBody(query.trim(), options, session);
    starting.mutate(body, { onSuccess: () => changeQuery(() => '') });
  };
  return (
    <div className="playground">
      <div className="service">
        {session !== undefined && children}
        <form
          className="card ask"
          aria-label="Question"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <textarea
            ref={field}
            aria-label="Question"
            rows={session === undefined ? 4 : 2}
            maxLength={8000}
            value={query}
            placeholder={session === undefined ? 'What would you like to know?' : 'Ask a follow-up question'}
            onChange={({ target }) => changeQuery(() => target.value)}
            onKeyDown={submitOnEnter}
          />
          <MissingModel model={model} />
          {model?.local.notice !== undefined && !isMissing(model) && (
            <p className="quiet small">{model.local.notice}</p>
          )}
          <Problem error={starting.error} />
          <Actions
            running={running}
            isReady={isReady}
            isStarting={starting.isPending}
            onExample={session === undefined ? choose : undefined}
          />
        </form>
        {session === undefined && children}
      </div>
      <aside className="card" aria-label="Settings">
        <OptionsForm options={options} problems={problems} onChange={(next) => changeOptions(() => next)} />
        <RequestCode path="/v1/agent/run" body={toBody(query.trim() || 'QUESTION', options, session)} />
      </aside>
    </div>
  );
}

/** Only a new suggestion replaces what was typed. */
function useSuggested(suggested: Props['suggested'], write: (text: string) => void): void {
  useEffect(() => {
    if (suggested !== undefined) write(suggested.query);
  }, [suggested]);
}

type ActionsProps = {
  running: string | undefined;
  isReady: boolean;
  isStarting: boolean;
  onExample: ((example: Example) => void) | undefined;
};

/**
 * Two buttons with different keys: if one turned into the other during its click, it would stop a run and ask again.
 */
function Actions({ running, isReady, isStarting, onExample }: ActionsProps) {
  return (
    <div className="row apart">
      <div className="row examples">{onExample && <Examples onChoose={onExample} />}</div>
      {running !== undefined ? (
        <StopButton key="stop" run={running} />
      ) : (
        <button key="ask" type="submit" className="primary" disabled={!isReady || isStarting}>
          {isStarting ? 'Asking…' : 'Ask'}
        </button>
      )}
    </div>
  );
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function Examples({ onChoose }: { onChoose: (example: Example) => void }) {
  return (
    <>
      <span className="quiet small">Try</span>
      {EXAMPLES.map((example) => (
        <button key={example.name} type="button" className="chip" onClick={() => onChoose(example)}>
          {example.name}
        </button>
      ))}
    </>
  );
}

/** Starts a run that does not end with this page, and opens its conversation. */
function useStart() {
  const [, navigate] = useLocation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: ReturnType<typeof toBody>) => {
      const response = await infer('/v1/agent/run', { ...body, stream: true, background: true });
      const id = response.headers.get('x-askd-run') ?? '';
      // The conversation's page watches it by its id, as it does after a reload.
      await response.body?.cancel();
      return ask<AgentRun>('GET', runPath(id));
    },
    onSuccess: ({ session_id: session }) => {
      refresh();
      navigate(`/agent/sessions/${session}`);
    },
  });
}

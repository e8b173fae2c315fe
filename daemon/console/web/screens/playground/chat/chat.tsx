import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../data/api.ts';
import { Problem } from '../../../parts/problem.tsx';
import { RequestCode } from '../request-code.tsx';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { DEFAULTS, SettingsForm, toBody, type ChatSettings } from './settings-form.tsx';
import { useChat } from './use-chat.ts';

type ModelList = { data: { id: string }[] };

export function Chat() {
  const [settings, setSettings] = useState<ChatSettings>(DEFAULTS);
  const chat = useChat();
  const models = useQuery({ queryKey: ['models'], queryFn: () => call<ModelList>('GET', '/v1/models') });
  const names = (models.data?.data ?? []).map(({ id }) => id).filter((id) => !isOtherTask(id));
  const send = (text: string) => chat.send(text, (messages) => toBody(settings, messages));
  return (
    <>
      <div className="row end">
        <button type="button" disabled={chat.turns.length === 0} onClick={chat.clear}>
          New chat
        </button>
      </div>
      <Problem error={models.error} />
      <div className="playground">
        <section className="card chat" aria-label="Chat">
          <Conversation turns={chat.turns} />
          <Composer isBusy={chat.isBusy} onSend={send} onStop={chat.stop} />
        </section>
        <aside className="card" aria-label="Settings">
          <SettingsForm settings={settings} models={names} onChange={setSettings} />
          <RequestCode path="/v1/chat/completions" body={toBody(settings, chat.messages())} />
        </aside>
      </div>
    </>
  );
}

/** Service models that do something other than chat. */
function isOtherTask(id: string): boolean {
  return /^svc-(?!chat|code|vision)/.test(id);
}

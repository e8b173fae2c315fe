import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Setting, SettingsList } from '../../../../../src/api/management/settings.ts';
import { call } from '../../data/api.ts';
import { ActionsHeading } from '../../parts/actions-heading.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SettingForm } from './setting-form.tsx';
import { textOf } from './setting-text.ts';
import './settings.css';

const SOURCES = {
  default: 'default',
  file: 'file',
  keyring: 'keyring',
  secrets: 'secrets file',
  environment: 'environment',
  flag: 'command-line flag',
};

export function Settings() {
  const [text, setText] = useState('');
  const [editing, setEditing] = useState<Setting>();
  const { data, error } = useQuery({
    queryKey: ['settings'],
    queryFn: () => call<SettingsList>('GET', '/api/settings'),
  });
  const wanted = text.trim().toLowerCase();
  const shown = data?.settings.filter(({ name, summary }) =>
    `${name} ${summary}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <h1>Settings</h1>
      <Problem error={error} />
      {data && <Waiting list={data} />}
      {data && shown && (
        <>
          <div className="row apart">
            <label className="row">
              <span className="quiet small">Find</span>
              <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
            </label>
            <span className="quiet small">
              Kept in <code className="path">{data.file}</code>
            </span>
          </div>
          {[...new Set(shown.map(({ topic }) => topic))].map((topic) => (
            <Topic
              key={topic}
              topic={topic}
              settings={shown.filter((each) => each.topic === topic)}
              onEdit={setEditing}
            />
          ))}
        </>
      )}
      {editing && <SettingForm setting={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

/** Changes in the file that the running daemon has not applied yet. */
function Waiting({ list: { settings, restart } }: { list: SettingsList }) {
  const names = settings.flatMap(({ name, needs_restart: waits }) => (waits ? [name] : []));
  if (names.length === 0) return null;
  return (
    <section className="card" role="status">
      <p>
        <span className="badge warn">Restart needed</span> for {names.join(', ')}. Run this on the daemon’s
        machine; requests in progress are finished first.
      </p>
      <div className="secret">
        <code>{restart}</code>
        <CopyButton text={restart} />
      </div>
    </section>
  );
}

type TopicProps = { topic: string; settings: readonly Setting[]; onEdit: (setting: Setting) => void };

function Topic({ topic, settings, onEdit }: TopicProps) {
  return (
    <section className="card scroll" tabIndex={0} aria-label={topic}>
      <h2>{topic}</h2>
      <table className="settings">
        <thead>
          <tr>
            <th>Setting</th>
            <th>Value</th>
            <th>From</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <SettingRow key={setting.name} setting={setting} onEdit={onEdit} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SettingRow({ setting, onEdit }: { setting: Setting; onEdit: (setting: Setting) => void }) {
  const { name, summary, source, default: standard, is_secret: isSecret, needs_restart: waits } = setting;
  return (
    <tr>
      <td>
        <code>{name}</code>
        <div className="quiet small">{summary.replaceAll('`', '')}</div>
      </td>
      <td>
        <code className="value-text">{textOf(setting)}</code>
        {source !== 'default' && !isSecret && (
          <div className="quiet small">default {textOf({ ...setting, value: standard })}</div>
        )}
      </td>
      <td>
        {SOURCES[source]}
        {waits && (
          <div>
            <span className="badge warn">restart needed</span>
          </div>
        )}
      </td>
      <td>
        <button type="button" aria-label={`Change ${name}`} onClick={() => onEdit(setting)}>
          Change
        </button>
      </td>
    </tr>
  );
}

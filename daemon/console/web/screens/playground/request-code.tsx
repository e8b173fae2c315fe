import { useState } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { LANGUAGES, toCode, type Language } from './to-code.ts';

export function RequestCode({ body }: { body: object }) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = toCode(language, location.origin, body);
  return (
    <details>
      <summary>This request as code</summary>
      <div className="row apart">
        <label>
          <span className="hidden">Language</span>
          <select
            className="inline"
            value={language}
            onChange={(event) => setLanguage(event.target.value as Language)}
          >
            {LANGUAGES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <CopyButton text={code} />
      </div>
      <pre className="request" tabIndex={0}>
        {code}
      </pre>
    </details>
  );
}

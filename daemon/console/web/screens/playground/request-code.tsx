import { useState } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import type { ApiRequest } from './code/api-request.ts';
import { LANGUAGES, toCode, type Language } from './code/to-code.ts';

export function RequestCode(request: ApiRequest) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = toCode(language, location.origin, request);
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

import { accessOf } from '../../src/library/pull/pulls.ts';
import { createHubRequests } from '../../src/library/hub/request.ts';
import type { Diagnostic } from './diagnostic.ts';

const WAIT_MS_MAX = 3_000;

export const diagnoseHub: Diagnostic = async ({ settings }, _options, signal) => {
  const check = 'model hub';
  const { endpoint } = settings.hub;
  if (settings.offline) return [{ check, level: 'ok', message: 'offline mode is on' }];
  const access = accessOf(settings);
  const requests = createHubRequests({ ...access, stallMs: WAIT_MS_MAX });
  try {
    const { answer } = await requests.ask(`${endpoint}/api/models?limit=1`, { signal });
    await answer.body.dump();
    const login = access.token === undefined ? 'without a token' : 'with a token';
    if (answer.statusCode < 400) return [{ check, level: 'ok', message: `${endpoint} answers, ${login}` }];
    const message = `${endpoint} answers ${answer.statusCode}, ${login}`;
    return [{ check, level: 'warning', message, fix: 'check HF_ENDPOINT and HF_TOKEN, then: askd restart' }];
  } catch (error) {
    const message = `${endpoint} does not answer (${(error as Error).message}); only installed models can be used`;
    return [{ check, level: 'warning', message, fix: 'check the network, HTTPS_PROXY and HF_ENDPOINT' }];
  } finally {
    await requests.close();
  }
};

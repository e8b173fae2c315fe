import { addSimulation, listSimulations, removeSimulation } from '../../../src/api/account/simulations.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { didYouMean } from '../../../src/base/did-you-mean.ts';
import { Failure } from '../../../src/base/errors.ts';
import { readTrouble } from '../../../src/access/simulation/trouble.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerSimulations(register: RegisterRoute, { keys, simulations }: Services): void {
  const { rules } = simulations;

  const keyOf = (accountId: string, params: Record<string, string>): string => {
    const { id } = keys.find(accountId, params['id'] ?? '');
    simulations.requireTest(id);
    return id;
  };

  register(listSimulations, ({ principal, params }) => ({
    simulations: rules.of(keys.find(principal.accountId, params['id'] ?? '').id),
  }));

  register(addSimulation, ({ body, principal, params }) => {
    const { route, every = 1, times = null, ...asked } = body;
    const keyId = keyOf(principal.accountId, params);
    const id = rules.add({ keyId, ...readRoute(route), every, times, trouble: readTrouble(asked, 'body') });
    const added = rules.of(keyId).find((rule) => rule.id === id);
    if (!added) throw new Error('The simulation is gone');
    return added;
  });

  register(removeSimulation, ({ principal, params }) => {
    rules.remove(keyOf(principal.accountId, params), params['simulation_id'] ?? '');
    return { success: true as const };
  });
}

/** A rule about a route that does not exist would never do anything. */
function readRoute(route: string): { method: string; path: string } {
  const routes = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  const [method = '', path = ''] = route
    .trim()
    .replace(/^\w+/, (word) => word.toUpperCase())
    .split(/\s+/);
  if (routes.includes(`${method} ${path}`)) return { method, path };
  const hint = didYouMean(`${method} ${path}`, routes);
  throw new Failure(
    'invalid_value',
    `There is no route ${JSON.stringify(route)}.${hint} They are in docs/api.md.`,
    {
      param: 'route',
    },
  );
}

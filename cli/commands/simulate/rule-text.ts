import type { Simulation } from '../../../src/api/account/simulations.ts';

export function ruleText({ method, path, every, times, simulates }: Simulation): string {
  const turns = every === 1 ? 'every request' : `one in ${every} requests`;
  const most = times === null ? '' : `, at most ${times} times`;
  return `${turns} to ${method} ${path}${most}: ${troubleText(simulates)}`;
}

export function troubleText(simulates: Simulation['simulates']): string {
  return Object.entries(simulates)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ');
}

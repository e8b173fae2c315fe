import {
  addSimulation,
  listSimulations,
  removeSimulation,
  type SimulationRequest,
} from '../../src/api/account/simulations.ts';
import type { Http } from '../../src/api/http/http.ts';

/** The failures simulated for a key. */
export function simulationCalls({ call }: Http) {
  return {
    list: (id: string) => call(listSimulations, { params: { id } }),
    add: (id: string, body: SimulationRequest) => call(addSimulation, { params: { id }, body }),
    remove: (id: string, simulation_id: string) => call(removeSimulation, { params: { id, simulation_id } }),
  };
}

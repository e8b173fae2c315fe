import { listCatalog, updateCatalog } from '../../../src/api/management/catalog.ts';
import { budgetFor } from '../../../src/library/choose-artifact.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { toCatalogEntry, toCatalogSource } from '../../status/library-records.ts';

export function registerCatalog(register: RegisterRoute, services: Services): void {
  const { library, catalog, machine } = services;

  register(listCatalog, () => ({
    catalog: library.catalog.filter(({ hub }) => hub).map((each) => toCatalogEntry(each, services)),
    source: toCatalogSource(catalog.source()),
    problem: catalog.problem() ?? null,
    machine: { memory_bytes: machine.memoryBytes, for_models_bytes: Math.round(budgetFor(machine)) },
  }));

  register(updateCatalog, async ({ client }) => {
    const { before, isCurrent, ...changes } = await catalog.update(client);
    return {
      is_current: isCurrent,
      before: toCatalogSource(before),
      source: toCatalogSource(catalog.source()),
      ...changes,
    };
  });
}

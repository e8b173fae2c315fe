import { recommendModels, type RecommendedModel } from '../../../src/api/management/recommend.ts';
import { toIso } from '../../../src/base/clock.ts';
import { freeDiskBytes } from '../../../src/base/free-disk.ts';
import { memoryOf } from '../../../src/library/artifact-memory.ts';
import { budgetFor } from '../../../src/library/choose-artifact.ts';
import { recommend, type Recommended } from '../../../src/library/recommend.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { tenths, toExpectedSpeed } from '../../status/library-records.ts';

export function registerRecommend(register: RegisterRoute, services: Services): void {
  const { library, machine, machineSpeeds, settings, stopping } = services;

  register(recommendModels, async ({ body }) => {
    const { services: named, measure = 'if_needed' } = body;
    const known = machineSpeeds.find();
    const speed =
      measure === 'again' || (measure === 'if_needed' && !known?.isCalm)
        ? await machineSpeeds.measure(stopping.signal)
        : known;
    const models = recommend(named, library.catalog, machine).map((each) => toModel(each, services));
    const missing = new Map(
      models
        .filter(({ is_installed: isInstalled }) => !isInstalled)
        .map(({ artifact, bytes }) => [artifact, bytes]),
    );
    const download = [...missing.values()].reduce((sum, bytes) => sum + bytes, 0);
    const free = freeDiskBytes(settings.hub.cache);
    return {
      machine: {
        memory_bytes: machine.memoryBytes,
        for_models_bytes: Math.round(budgetFor(machine)),
        disk_free_bytes: free,
        speed: speed
          ? {
              tokens_per_second: tenths(speed.tokensPerSecond),
              weight_bytes: speed.weightBytes,
              device: speed.device,
              is_calm: speed.isCalm,
              measured_at: toIso(speed.measuredAt),
            }
          : null,
      },
      models,
      download_bytes: download,
      fits_on_disk: download <= free,
    };
  });
}

function toModel(
  { service, artifact, reason }: Recommended,
  { library, machine, checks }: Services,
): RecommendedModel {
  const { id, name, bytes, licence, licenceTerms } = artifact;
  const found = library.findArtifact(id);
  const installed = found && library.isPresent(found) ? found : undefined;
  return {
    service,
    artifact: id,
    name,
    reason,
    bytes,
    memory_bytes: Math.round(memoryOf(artifact)),
    licence,
    licence_terms: licenceTerms ?? null,
    expected_tokens_per_second: toExpectedSpeed(artifact, machine),
    measured_tokens_per_second: (installed && checks.find(installed)?.tokensPerSecond['1']) ?? null,
    is_installed: installed !== undefined,
    is_bound: library.boundArtifact(service)?.id === id,
  };
}

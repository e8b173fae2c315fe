import type { FoundModel } from '../../../src/api/management/adopt.ts';
import type { RecommendedModel } from '../../../src/api/management/recommend.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { formatBytes } from '../../output/format.ts';
import { adoptedText } from '../adopt-text.ts';
import { startPull } from '../pull/start-pull.ts';
import { bytesOf } from './findings.ts';

/** Starts the downloads, which the daemon continues. */
export function download(
  client: Client,
  models: readonly RecommendedModel[],
  context: Context,
): Promise<void> {
  const { output } = context;
  return orReport(context, async () => {
    output.talk('Contacting the model hub…');
    for (const { service } of models) await startPull(client, { model: service }, context);
    const names = models.map(({ name }) => name).join(' and ');
    output.talk(
      `Downloading ${names} (${formatBytes(bytesOf([...models]))}) in the background: askd pull --list shows the progress. ` +
        'Until then, the starter model answers.',
    );
  });
}

/** Uses the models of other programs in place, and for chat the largest that fits in memory. */
export function adoptAll(
  client: Client,
  { adoptable, budgetBytes }: { adoptable: readonly FoundModel[]; budgetBytes: number },
  context: Context,
): Promise<void> {
  return orReport(context, async () => {
    const answer = await client.adopt({});
    context.output.talk(adoptedText(answer));
    const usable = new Set(
      answer.adopted.filter(({ obstacle }) => obstacle === undefined).map(({ id }) => id),
    );
    const [best] = adoptable
      .filter(({ id, services }) => usable.has(id) && services.includes('svc-chat-v1'))
      .sort((a, b) => rank(b, budgetBytes) - rank(a, budgetBytes));
    if (best === undefined) return;
    await client.bind({ service: 'svc-chat-v1', artifact: best.id });
    context.output.talk(`svc-chat-v1 is now ${best.id}. To choose another: askd bind svc-chat-v1 MODEL`);
  });
}

/** The largest that fits; if none does, the smallest. */
function rank({ bytes, memory_bytes: memory }: FoundModel, budgetBytes: number): number {
  return memory <= budgetBytes ? bytes : -bytes;
}

/** A failure here must not end the first start: everything else works without it. */
export async function orReport(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    const { reportFailure } = await import('../../output/failure-report.ts');
    for (const line of reportFailure(error, { verbose: false }).lines) output.talk(line);
    output.talk('Everything else works without it.');
  }
}

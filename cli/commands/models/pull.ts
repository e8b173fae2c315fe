import type { Pull, PullAnswer, PullRequest } from '../../../src/api/management/library.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { formatBytes } from '../../output/format.ts';
import { headerText, previewText, requireRunnable } from '../../models/pull/preview-text.ts';
import { pullsTable } from '../../models/pull/pulls-table.ts';

type PullOptions = {
  tier?: 'small' | 'standard' | 'large';
  acceptLicence?: true;
  background?: true;
  offline?: true;
  dryRun?: true;
  pause?: true;
  resume?: true;
  cancel?: true;
  list?: true;
  check: boolean;
};

export const pull = command<PullOptions>({
  name: 'pull',
  group: 'Models:',
  summary: 'download a model, verify it and use it',
  details:
    'For a service model, picks the artifact that suits this machine and binds it. The daemon downloads in the ' +
    'background: Ctrl-C only stops watching, and pulling again resumes watching. An interrupted download ' +
    'continues where it stopped. A paused one stays paused, even after a restart, until you resume it or pull ' +
    'it again. The header of the model is shown first, and a model that cannot run is refused before it is ' +
    'downloaded. Downloaded models are checked: askd check.',
  examples: [
    'askd pull svc-embed-v1',
    'askd pull svc-chat-v1 --tier small',
    'askd pull hf:unsloth/Qwen3-4B-Instruct-2507-GGUF:Q4_K_M',
    'askd pull --dry-run hf:unsloth/Qwen3-4B-Instruct-2507-GGUF:Q4_K_M',
    'askd pull qwen3.5-4b --background',
    'askd pull --pause qwen3.5-4b',
    'askd pull --resume qwen3.5-4b',
    'askd pull --list',
  ],
  configure(commander) {
    commander
      .argument('[model]', 'a service model, an artifact, or hf:org/repo[@revision][:quant|/file]')
      .addOption(
        commander
          .createOption('--tier <tier>', 'size of the artifact for a service model')
          .choices(['small', 'standard', 'large']),
      )
      .option('--accept-licence', 'accept the terms of a licence that restricts use')
      .option('--background', 'start the download and return')
      .option('--offline', 'use only what is already on this machine')
      .option('--dry-run', 'only show what would be downloaded')
      .option('--pause', 'pause the download and keep what was received')
      .option('--resume', 'resume a paused download in the background')
      .option('--cancel', 'cancel the download and delete its files')
      .option('--list', 'show the downloads')
      .option('--no-check', 'do not check whether it works on this machine');
  },
  async run(context, { args: [model], options }) {
    const client = await context.connect();
    if (options.list) return showPulls(client, context);
    if (model === undefined) {
      throw new Failure('missing_required_parameter', 'Name a model: askd pull svc-chat-v1');
    }
    const change = CHANGES.find(({ name }) => options[name]);
    if (change) return changePull(client, { model, change }, context);
    return pullModel(client, { model, options }, context);
  },
});

type PullArguments = { model: string; options: PullOptions };

async function pullModel(client: Client, { model, options }: PullArguments, context: Context): Promise<void> {
  const { output } = context;
  const { startPull } = await import('../../models/pull/start-pull.ts');
  const answer = await startPull(client, requestOf(model, options), context);
  const { pull: started, artifact, service, reason, preview } = answer;
  if (service !== null && reason !== null) {
    output.note(`${service} gets ${artifact?.id ?? started?.artifact ?? ''}: ${reason}.`);
  }
  if (artifact) return output.result({ schema: 'pull/1', ...answer }, () => hereText(answer));
  if (options.dryRun && preview) {
    output.result({ schema: 'pull/1', ...answer }, () => previewText(preview));
    return requireRunnable(preview);
  }
  if (!started) throw new Failure('internal_error', 'The daemon reported neither a model nor a download.');
  output.note(`${started.artifact}, ${formatBytes(started.bytes_total)}, licence ${started.licence}`);
  if (preview) output.note(headerText(preview));
  const { followPull, stillGoing } = await import('../../models/pull/follow.ts');
  const { checkNew } = await import('../../models/check-model.ts');
  if (options.background) {
    output.note(stillGoing(model));
    return output.result({ schema: 'pull/1', ...answer }, () => started.id);
  }
  const done = await followPull(client, started, context);
  const check = options.check ? await checkNew(client, done.artifact, context) : null;
  const document = { schema: 'pull/1', ...answer, pull: done, ...(check && { check }) };
  if (output.json) return output.line(JSON.stringify(document));
  output.result(document, () => {
    const serves =
      done.service === null ? `Next: askd chat -m ${done.artifact}` : `It serves ${done.service}.`;
    return `Pulled and verified ${done.artifact} (${formatBytes(done.bytes_total)}). ${serves}`;
  });
}

function requestOf(model: string, { tier, acceptLicence, offline, dryRun }: PullOptions): PullRequest {
  return {
    model,
    ...(tier && { tier }),
    ...(acceptLicence && { accept_licence: true }),
    ...(offline && { offline: true }),
    ...(dryRun && { dry_run: true }),
  };
}

function hereText({ artifact, service }: PullAnswer): string {
  const serves = service === null ? '' : ` It serves ${service}.`;
  return `${artifact?.id ?? ''} is on this machine: ${artifact?.path ?? ''}${serves}`;
}

async function showPulls(client: Client, { output }: Context): Promise<void> {
  const { pulls } = await client.pulls();
  output.result({ schema: 'pulls/1', pulls }, () =>
    pulls.length === 0 ? 'No downloads yet: askd pull svc-chat-v1' : pullsTable(pulls, output),
  );
}

type Change = {
  name: 'pause' | 'resume' | 'cancel';
  call: (client: Client, id: string) => Promise<Pull>;
  report: (pull: Pull) => string;
};

const CHANGES: readonly Change[] = [
  {
    name: 'pause',
    call: (client, id) => client.pausePull(id),
    report: ({ model, bytes_received: received, bytes_total: total }) =>
      `Paused at ${formatBytes(received)} of ${formatBytes(total)}. To resume it: askd pull --resume ${model}`,
  },
  {
    name: 'resume',
    call: (client, id) => client.resumePull(id),
    report: ({ model }) => `The download continues: ${model}. To watch it: askd pull ${model}`,
  },
  {
    name: 'cancel',
    call: (client, id) => client.cancelPull(id),
    report: ({ model }) => `Cancelled the download and deleted its files: ${model}`,
  },
];

async function changePull(
  client: Client,
  { model, change }: { model: string; change: Change },
  { output }: Context,
): Promise<void> {
  const { pulls } = await client.pulls();
  const open = pulls.find(
    (each) =>
      [each.id, each.model, each.artifact].includes(model) && /queued|downloading|paused/.test(each.state),
  );
  if (!open) {
    throw new Failure('not_found', `No download of "${model}" is in progress.`, {
      details: { fix: 'askd pull --list' },
    });
  }
  const changed = await change.call(client, open.id);
  output.result({ schema: `pull-${change.name}/1`, ...changed }, () =>
    changed.state === 'done' ? `The download was already complete: ${model}` : change.report(changed),
  );
}

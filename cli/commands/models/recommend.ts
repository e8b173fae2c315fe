import { command } from '../../command.ts';

type RecommendOptions = { pull?: true; acceptLicence?: true; yes?: true; measure?: boolean; check: boolean };

export const recommend = command<RecommendOptions>({
  name: 'recommend',
  group: 'Models:',
  summary: 'suggest models for this machine and estimate their speed',
  details:
    'For each service, the best model of the catalogue that fits this machine and answers as fast as people ' +
    'read. The first time, it measures how fast this machine generates, which takes about ten seconds. The ' +
    'speed of a model is estimated from that until askd check has measured it. --pull downloads them all.',
  examples: [
    'askd recommend',
    'askd recommend svc-chat-v1 svc-embed-v1',
    'askd recommend --pull --yes',
    'askd recommend --json --no-measure',
  ],
  configure(commander) {
    commander
      .argument('[services...]', 'service models; all of them by default')
      .option('--pull', 'download what is recommended, and use it')
      .option('--accept-licence', 'accept the terms of licences that restrict use')
      .option('-y, --yes', 'do not ask before downloading')
      .option('--measure', 'measure this machine again')
      .option('--no-measure', 'do not measure this machine')
      .option('--no-check', 'do not check whether the downloaded models work');
  },
  async run(context, { args, options }) {
    const { findRecommendation, recommendationText, pullRecommended } =
      await import('../../models/recommend.ts');
    const { output } = context;
    const client = await context.connect();
    const services = args.flat();
    const found = await findRecommendation(client, { services, measure: options.measure }, context);
    const document = { schema: 'recommend/1', ...found };
    const text = () => recommendationText(found, { services, isPulling: options.pull === true }, output);
    if (!options.pull) return output.result(document, text);
    if (!output.json) output.note(text());
    const pulled = await pullRecommended(client, found, options, context);
    output.result({ ...document, ...pulled }, () =>
      pulled.pulled.length === 0 ? 'Nothing was downloaded.' : `Downloaded ${pulled.pulled.join(', ')}.`,
    );
    return undefined;
  },
});

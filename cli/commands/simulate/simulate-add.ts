import type { Command } from 'commander';
import type { SimulationRequest } from '../../../src/api/account/simulations.ts';
import { parseDuration } from '../../../src/base/units.ts';
import { Failure } from '../../../src/base/errors.ts';
import { integerBetween, numberBetween, oneOf } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { findTestKey } from '../../client/find-test-key.ts';
import { ruleText } from './rule-text.ts';

type Options = {
  key?: string;
  every?: number;
  times?: number;
  status?: number;
  error?: string;
  retryAfter?: number;
  delay?: string;
  firstTokenDelay?: string;
  tokenDelay?: string;
  tokensPerSecond?: number;
  cutAfter?: number;
  truncateAfter?: number;
  end?: false;
  uploadBytesPerSecond?: number;
  webhook?: NonNullable<SimulationRequest['webhook']>;
};

export const simulateAdd = command<Options>({
  name: 'simulate add',
  group: 'Access:',
  summary: 'simulate failures and delays for a test key',
  details:
    'Each rule is for one route. A request with a test key can also ask for it alone, with the header ' +
    'x-askd-simulate.',
  examples: [
    'askd simulate add "POST /v1/chat/completions" --every 3 --status 429 --retry-after 2',
    'askd simulate add "POST /v1/chat/completions" --times 1 --cut-after 5',
    'askd simulate add "POST /v1/responses" --delay 2s --tokens-per-second 20',
    'askd simulate add "POST /v1/messages" --error overload --key ask_AbC1',
    'askd simulate add "POST /v1/chat/completions" --webhook wrong-signature',
  ],
  configure(commander) {
    commander
      .argument('<route>', 'such as "POST /v1/chat/completions"')
      .option('--key <key>', 'the test key (default: the only one)')
      .option('--every <n>', 'every nth request (default: 1)', integerBetween(1, 1_000_000))
      .option('--times <n>', 'at most this many times', integerBetween(1, 1_000_000));
    addTroubles(commander);
  },
  async run({ connect, output }, { args: [route = ''], options: { key: wanted, every, times, ...trouble } }) {
    const body = {
      route,
      ...(every !== undefined && { every }),
      ...(times !== undefined && { times }),
      ...toTrouble(trouble),
    };
    const client = await connect();
    const key = findTestKey(await client.listKeys(), wanted);
    const rule = await client.simulations.add(key.id, body);
    output.result({ schema: 'simulate-add/1', key_id: key.id, ...rule }, () => rule.id);
    output.note(`For ${key.name}: ${ruleText(rule)}. Until: askd simulate rm ${rule.id}`);
  },
});

function addTroubles(commander: Command): void {
  commander
    .option('--status <status>', 'fail with this status', integerBetween(400, 599))
    .option('--error <code>', 'fail with this code, or overload, expired-key, revoked-key, empty-wallet')
    .option('--retry-after <seconds>', 'with a status or an error', integerBetween(0, 86_400))
    .option('--delay <time>', 'before the headers, such as 500ms')
    .option('--first-token-delay <time>', 'before the first text of a stream')
    .option('--token-delay <time>', 'between the texts of a stream')
    .option('--tokens-per-second <n>', 'the speed of a stream', numberBetween(0.01, 100_000))
    .option(
      '--cut-after <n>',
      'cut the connection after this many texts; 0 means before the answer',
      integerBetween(0, 1_000_000),
    )
    .option(
      '--truncate-after <n>',
      'end in the middle of the JSON of the next text',
      integerBetween(0, 1_000_000),
    )
    .option('--no-end', 'leave out the end of a stream')
    .option(
      '--upload-bytes-per-second <n>',
      'read the body of the request no faster',
      integerBetween(1, 1_000_000_000),
    )
    .option(
      '--webhook <how>',
      'late, twice, out-of-order, wrong-signature, old-timestamp',
      oneOf(['late', 'twice', 'out-of-order', 'wrong-signature', 'old-timestamp']),
    );
}

function toTrouble(options: Omit<Options, 'key' | 'every' | 'times'>): Partial<SimulationRequest> {
  const { end, delay, firstTokenDelay, tokenDelay, ...rest } = options;
  const fields = {
    status: rest.status,
    error: rest.error,
    retry_after: rest.retryAfter,
    delay_ms: milliseconds('--delay', delay),
    first_token_delay_ms: milliseconds('--first-token-delay', firstTokenDelay),
    token_delay_ms: milliseconds('--token-delay', tokenDelay),
    tokens_per_second: rest.tokensPerSecond,
    cut_after: rest.cutAfter,
    truncate_after: rest.truncateAfter,
    no_end: end === false ? true : undefined,
    upload_bytes_per_second: rest.uploadBytesPerSecond,
    webhook: rest.webhook,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined && Number.isFinite(ms)) return ms;
  throw new Failure(
    'invalid_value',
    `${option} must be a time such as 500ms or 2s, not ${JSON.stringify(text)}.`,
  );
}

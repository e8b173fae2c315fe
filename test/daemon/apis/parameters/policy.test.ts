import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daemonWith, hello, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';

describe('parameters that are not in the schema of an endpoint', () => {
  let daemon: ChatDaemon;

  beforeAll(async () => {
    daemon = await openDaemonWith({ m: await scriptedModel('Any answer.') });
  });
  afterAll(() => daemon.close());

  const ignoredBy = async (body: object) => {
    const reply = await daemon.chat({ ...body });
    return [reply.status, reply.headers['x-askd-ignored']];
  };

  test('what concerns the provider is accepted and named', async () => {
    expect(await ignoredBy({ service_tier: 'auto', metadata: { a: 1 } })).toEqual([
      200,
      'service_tier, metadata',
    ]);
  });

  test('an unknown parameter is accepted and named', async () => {
    expect(await ignoredBy({ quantum_flux: true })).toEqual([200, 'quantum_flux']);
  });

  test('each is named once, by its place in any message', async () => {
    const content = [1, 2].map(() => ({ type: 'text', text: 'hello', cache_control: {}, shade: 'red' }));
    const messages = [{ role: 'user', content }];
    expect(await ignoredBy({ messages })).toEqual([
      200,
      'messages[].content[].cache_control, messages[].content[].shade',
    ]);
  });

  test('an answer in which every parameter has an effect has no such header', async () => {
    expect(await ignoredBy({ temperature: 0 })).toEqual([200, undefined]);
  });

  test('a stream and a refusal name them too', async () => {
    expect(await ignoredBy({ stream: true, user: 'u' })).toEqual([200, 'user']);
    expect(await ignoredBy({ user: 'u', temperature: 'hot' })).toEqual([400, 'user']);
  });

  test.each([
    [{ temprature: 1 }, 'temprature', 'temperature'],
    [{ maxTokens: 5 }, 'maxTokens', 'max_tokens'],
    [{ max_token: 5 }, 'max_token', 'max_tokens'],
    [{ sotp: ['x'] }, 'sotp', 'stop'],
    [{ messages: [{ role: 'user', contnet: 'x' }] }, 'messages[0].contnet', 'content'],
  ])('a typing mistake is refused with the right name: %j', async (body, param, meant) => {
    const reply = await daemon.chat(body);
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param, message: expect.stringContaining(`"${meant}"`) } },
    ]);
  });

  test('what would change the answer is refused with what to do instead, unless it asks for the default', async () => {
    const reply = await daemon.chat({ modalities: ['text', 'audio'] });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param: 'modalities' } },
    ]);
    expect(await ignoredBy({ modalities: ['text'] })).toEqual([200, 'modalities']);
  });

  test('names that a header cannot carry come as visible ASCII, and not endlessly', async () => {
    const [status, header = ''] = await ignoredBy({ 'naïve,\r\nx-evil: 1': 1 });
    expect([status, header]).toEqual([200, 'na?ve???x-evil:?1']);
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`odd_parameter_${index}`, 1]),
    );
    expect(await ignoredBy(many)).toEqual([
      200,
      expect.stringMatching(/^odd_parameter_0, .{1800,1999} more$/),
    ]);
  });

  test('the status counts them', async () => {
    await ignoredBy({ messages: hello, counted_parameter: 1 });
    await ignoredBy({ messages: hello, counted_parameter: 2 });
    const status = await daemon.call('GET', '/api/daemon/status', {
      token: daemon.services.rootToken.current(),
    });
    expect(status.json<{ ignored_parameters: object[] }>().ignored_parameters).toContainEqual({
      route: 'POST /v1/chat/completions',
      parameter: 'counted_parameter',
      requests: 2,
    });
  });
});

test.each([{ user: 'u' }, { quantum_flux: true }])(
  'with strict_parameters, %j is refused and the fix is named',
  async (body) => {
    const daemon = await daemonWith(
      { m: await scriptedModel('Any answer.') },
      { ASKD_STRICT_PARAMETERS: 'on' },
    );
    const reply = await daemon.chat(body);
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      {
        error: {
          code: 'unsupported_parameter',
          param: Object.keys(body)[0],
          message: expect.stringContaining('askd config set strict_parameters off'),
        },
      },
    ]);
  },
);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../../../src/client/testing/cassette/redact.ts';
import { openCassette } from '../../../../helpers/servers/cassette.ts';
import { scriptedServer } from '../../../../helpers/servers/scripted-server.ts';

const LETTERS = [...'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789-_./+'];
const secret = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 12, maxLength: 60 });

test('a secret is removed wherever the parts of a stream split it, and nothing else is', () => {
  const piece = fc.oneof(fc.constant(undefined), fc.string({ maxLength: 8 }));
  fc.assert(
    fc.property(secret, fc.array(piece), fc.array(fc.nat(30)), (value, pieces, cuts) => {
      const whole = pieces.map((each) => each ?? value).join('|');
      const parts: string[] = [];
      let rest = whole;
      for (const cut of cuts) {
        parts.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      parts.push(rest);
      const redactor = createRedactor([value]);
      const redacted = redactor.parts(parts);
      expect(redacted).toHaveLength(parts.length);
      expect(redacted.join('')).toBe(redactor.text(whole));
      expect(redacted.join('')).not.toContain(value);
      if (!whole.includes(value)) expect(redacted).toEqual(parts);
    }),
  );
});

test('the keys of providers are recognised by their shape', () => {
  const { text } = createRedactor();
  const shapes = [
    'sk-proj-abcdefghijklmnopqrst',
    'sk-ant-api03-abcdefghijkl',
    'ask_0123456789abcdef',
    'askroot_0123456789abcdef',
    'whsec_0123456789abcdef',
    'hf_abcdefghijklmnopqrstuv',
    'AIzaSyA0123456789abcdefghijk',
    'Bearer abcdefghijklmnop0123',
  ];
  for (const shape of shapes) expect(text(`key=${shape}!`)).toBe('key=[redacted]!');
  const ordinary = 'Ask the task-list for sk-8 and a bearer of news.';
  expect(text(ordinary)).toBe(ordinary);
});

test('no key gets into the file, whatever part of the request or answer contains it', async () => {
  const upstream = await scriptedServer(({ body, headers }, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'x-echo': String(headers['x-api-key']),
      'set-cookie': `session=${String(headers['x-api-key'])}`,
    });
    const text = `data: ${JSON.stringify(body)}\n\ndata: ${String(headers.authorization)}\n\n`;
    for (const part of text.match(/.{1,7}/gs) ?? []) response.write(part);
    response.end();
  });
  await fc.assert(
    fc.asyncProperty(secret, secret, async (key, other) => {
      const cassette = openCassette();
      const recorder = await cassette.record({ upstream: { baseUrl: upstream.url } });
      const headers = { authorization: `Bearer ${key}`, 'x-api-key': other, cookie: `askd=${other}` };
      const address = `${recorder.baseUrl}/echo/${encodeURIComponent(key)}?api_key=short&q=${encodeURIComponent(other)}`;
      const body = JSON.stringify({ [key]: [`before ${other} after`], 'a"b': `"${key}"` });
      const answer = await fetch(address, { method: 'POST', headers, body });
      expect(await answer.text()).toContain(`data: Bearer ${key}`);
      await recorder.close();
      const text = cassette.text();
      expect(text).toContain('[redacted]');
      for (const value of [key, other, encodeURIComponent(key), encodeURIComponent(other), 'short'])
        expect(text).not.toContain(value);
      const replayer = await cassette.replay();
      const again = address.replace(recorder.rootUrl, replayer.rootUrl);
      expect(await fetch(again, { method: 'POST', headers, body })).toMatchObject({ status: 200 });
    }),
    { numRuns: 25 },
  );
});

import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import { toSvg } from '../../../scripts/captures/svg.ts';

async function pictureOf(text: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 6, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  return toSvg(terminal, 'askd <chat>');
}

test('letters keep their place, colour and weight, and none of them is markup', async () => {
  const svg = await pictureOf(
    'a <b>\r\n\u001b[1;32mgood\u001b[0m \u001b[2mfaint\u001b[0m \u001b[7minverse\u001b[0m',
  );
  expect(svg).toContain('a &lt;b&gt;');
  expect(svg).toContain('<title>askd &lt;chat&gt;</title>');
  expect(svg).toMatch(
    /<text x="14\.0" y="75" textLength="33\.6"[^>]* fill="#98c379" font-weight="bold">good</,
  );
  expect(svg).toMatch(/opacity="0\.55">faint</);
  expect(svg).toMatch(/<rect x="106\.4"[^>]* fill="#d7dae0"\/><text[^>]* fill="#14161b">inverse</);
});

test('text keeps its column even where browsers collapse spaces', async () => {
  const svg = await pictureOf('  one two   \u6f22\u5b57  e  ');
  const texts = Array.from(
    svg.matchAll(/x="([\d.]+)" y="57" textLength="([\d.]+)"[^>]*>([^<]*)</g),
    ([, ...each]) => each,
  );
  expect(texts).toEqual([
    ['30.8', '58.8', 'one two'],
    ['114.8', '33.6', '\u6f22\u5b57'],
    ['165.2', '8.4', 'e'],
  ]);
});

test('empty rows at the end are left out', async () => {
  const height = async (text: string) => Number(/height="(\d+)"/.exec(await pictureOf(text))?.[1]);
  expect((await height('one\r\ntwo')) - (await height('one'))).toBe(18);
});

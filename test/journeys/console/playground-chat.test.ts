import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { pictureFile } from '../../helpers/models/image-files.ts';
import { endlessModel, scriptedModel, visionModel } from '../../helpers/models/models.ts';
import { THINKING_TEMPLATE, WEATHER_ANSWER, weatherModel } from '../../helpers/models/tool-models.ts';

/** The chat of a console whose machine has these models too; its model is the first of them. */
async function openChat(models: Record<string, { path: string; projector?: string }> = {}) {
  const installation = install();
  for (const [id, { path, projector }] of Object.entries(models)) {
    const files = projector === undefined ? [path] : [path, '--projector', projector];
    expect((await installation.askd(['import', ...files, '--id', id])).exitCode).toBe(0);
  }
  const { page, errors } = await openConsole(installation);
  await openScreen(page, 'Playground');
  const [first] = Object.keys(models);
  if (first !== undefined) await page.getByLabel('Model', { exact: true }).selectOption(first);
  return { page, errors };
}

async function send(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}

const WITHIN = { timeout: 30_000 };

/** Everything that the page stores in the browser. */
const READ_KEPT = `(async () => {
  const opening = indexedDB.open('askd-console');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const reading = opening.result.transaction('kept').objectStore('kept').getAll();
  await new Promise((resolve) => (reading.onsuccess = resolve));
  opening.result.close();
  return JSON.stringify(reading.result);
})()`;

/** Drops a PNG on the message, as the browser does with a file from the desktop. */
const dropScript = (base64: string, name: string) => `{
  const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], '${name}', { type: 'image/png' }));
  const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector('form.composer').dispatchEvent(event);
}`;

const answers = (page: Page) => page.locator('.turn.assistant[aria-busy=false]');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('an answer is stopped, retried, and requested again with an edited message', async () => {
  const { page, errors } = await openChat({ endless: await endlessModel() });
  await send(page, 'Talk');
  await page.locator('.turn.assistant').getByText('and so on, and so on').first().waitFor();
  await button(page, 'Stop').click();
  await answers(page).getByText('Stopped.').waitFor();
  // What was generated until then is charged, and the daemon reports how much.
  await answers(page)
    .getByText(/credits$/)
    .waitFor();

  await page.getByLabel('Tokens at most').fill('6');
  await button(page, 'Retry').click();
  await answers(page).getByText('reached its maximum number of tokens').waitFor();
  await button(page, 'Continue').click();
  await answers(page)
    .getByText(/^\d+ \+ 6 tokens$/)
    .waitFor();
  const continued = await answers(page).locator('.markdown').textContent();

  await page.getByRole('article', { name: 'Your message' }).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Your message', { exact: true }).last().fill('Talk less');
  await button(page, 'Send from here').click();
  await page.getByText('Talk less', { exact: true }).waitFor();
  await answers(page).getByText('reached its maximum number of tokens').waitFor();
  const anew = await answers(page).locator('.markdown').textContent();
  expect((continued ?? '').length).toBeGreaterThan((anew ?? '').length);
  await button(page, 'Delete').click();
  await page.getByText('Ask something.').waitFor();
  expect(errors).toEqual([]);
});

test('a tool that the model calls is answered by hand, and wrong definitions are not sent', async () => {
  const { page, errors } = await openChat({ weather: await weatherModel() });
  await page.getByText('Tools', { exact: true }).click();
  const definitions = page.getByLabel('Definitions');
  await definitions.fill('[\n  { "type": "function" }\n]');
  await page.getByText('Tool 1: it has no "function"').waitFor();
  await send(page, 'How is it in Zürich?');
  await page.getByText('Not sent. Fix these settings first: tools.').waitFor();
  await button(page, 'Weather').click();
  await page.getByLabel('Which tool').selectOption('it must call get_weather');
  await button(page, 'Send').click();

  const call = page.getByLabel('Arguments of get_weather');
  await call.waitFor();
  expect(await call.textContent()).toBe('{\n  "city": "Zürich",\n  "days": 3\n}');
  await page.getByText('This request as code').click();
  const code = page.locator('pre.request');
  await expect.poll(() => code.textContent(), WITHIN).toContain('"name": "get_weather"');
  await page.getByLabel('Which tool').selectOption('the model decides');
  await page.getByLabel('Result of get_weather').fill('{"sky":"sunny"}');
  await button(page, 'Send the result').click();
  await answers(page).getByText(WEATHER_ANSWER).waitFor();
  expect(await page.getByRole('article', { name: 'Results of tools' }).textContent()).toContain('sunny');
  await expect.poll(() => code.textContent(), WITHIN).toContain('"tool_call_id"');
  expect(errors).toEqual([]);
});

test('a schema is checked while typing, and the answer is compared with it', async () => {
  const person = '{"name": "Ada", "age": 36, "languages": ["en"]}';
  const { page, errors } = await openChat({ person: await scriptedModel(person) });
  await page.getByText('Structured output', { exact: true }).click();
  await page.getByLabel('Format of the answer').selectOption('JSON with a schema');
  await page.getByLabel('JSON schema').fill('{\n  "type": "object"\n  "required": ["name"]\n}');
  await page.getByText('Line 3, column 3: Comma expected.').waitFor();
  await button(page, 'Person').click();
  await send(page, 'Who?');
  await answers(page).getByText('matches the schema').waitFor();
  const shown = page.getByLabel('The answer as JSON');
  expect(await shown.textContent()).toBe(JSON.stringify(JSON.parse(person), null, 2));

  await answers(page).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Answer', { exact: true }).fill('{"name": 1, "languages": ["en"]}');
  await button(page, 'Save').click();
  const problems = answers(page).getByLabel('What does not match the schema');
  await problems.getByText('must have required properties age').waitFor();
  await problems.getByText('/name must be string').waitFor();
  expect(errors).toEqual([]);
});

test('an image is dropped on a model with vision, and another model names one that has it', async () => {
  const { page, errors } = await openChat({ eyes: await visionModel() });
  const drop = async (name: string) => {
    const file = (await pictureFile('red')).toString('base64');
    await page.evaluate(dropScript(file, name));
  };
  await page.getByLabel('Model', { exact: true }).selectOption('starter-chat');
  await drop('a.png');
  await page.getByText('a.png: this model cannot see images. Choose one that can: eyes.').waitFor();
  await page.getByLabel('Model', { exact: true }).selectOption('eyes');
  await drop('b.png');
  await page.getByRole('img', { name: 'b.png' }).waitFor();
  await page.getByLabel('Tokens at most').fill('4');
  await send(page, 'What is it?');
  await answers(page)
    .getByText(/credits$/)
    .waitFor();
  expect(await page.getByRole('article', { name: 'Your message' }).getByRole('img').count()).toBe(1);
  expect(await page.locator('.turn .problem').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('two models answer the same message, which a reload keeps and signing out does not', async () => {
  const thinking = await scriptedModel('<think>\nA moment.\n</think>\n\nForty-two.', {
    chatTemplate: THINKING_TEMPLATE,
  });
  const { page, errors } = await openChat({ thinking });
  await button(page, 'Compare two models').click();
  await page
    .getByRole('region', { name: 'Right', exact: true })
    .getByLabel('Model')
    .selectOption('starter-chat');
  await send(page, 'How do I create an API key?');
  const left = page.getByRole('region', { name: 'Left', exact: true });
  const right = page.getByRole('region', { name: 'Right', exact: true });
  await left.getByText('Forty-two.', { exact: true }).waitFor();
  await left.getByText(/^Reasoned for \d+\.\d s$/).waitFor();
  await right.locator('code').getByText('askd keys create').waitFor();
  for (const pane of [left, right]) {
    await pane.getByText(/credits$/).waitFor();
    await pane.getByText(/tokens\/s$/).waitFor();
    await pane.getByText(/^first after \d+ ms$/).waitFor();
  }
  const download = page.waitForEvent('download');
  await button(page, 'Export').click();
  const exported = readFileSync(await (await download).path(), 'utf8');
  expect(JSON.parse(exported)).toMatchObject({
    model: 'thinking',
    messages: [{ role: 'user' }, { role: 'assistant', content: 'Forty-two.' }],
  });

  // The browser's storage is written a moment later, and a reload must find it.
  await expect.poll(() => page.evaluate(READ_KEPT), WITHIN).toMatch(/"credits".*"credits"/);
  await page.reload();
  await left.getByText('Forty-two.', { exact: true }).waitFor();
  await right.locator('code').getByText('askd keys create').waitFor();

  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  await expect.poll(() => page.evaluate(READ_KEPT), WITHIN).toBe('[]');
  expect(errors).toEqual([]);
});

test('tokens are browsed with the keyboard, and an imported conversation continues', async () => {
  const { page, errors } = await openChat();
  await page.getByLabel('Conversation to import').setInputFiles({
    name: 'wrong.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"messages": [{"content": "no role"}]}'),
  });
  await page.getByText('messages[0] has no "role".').waitFor();
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello. Ask me about **askd**.' },
  ];
  await page.getByLabel('Conversation to import').setInputFiles({
    name: 'chat.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ messages })),
  });
  await answers(page).getByText('askd', { exact: true }).waitFor();
  expect(await page.getByLabel('System message').inputValue()).toBe('Be brief.');
  await page.getByText('Probabilities, several answers, template').click();
  await page.getByLabel('Token probabilities').selectOption('3 alternatives');
  await page.getByLabel('Answers', { exact: true }).fill('2');
  await send(page, 'How do I create an API key?');
  await page.getByRole('radio', { name: 'Answer 2' }).check();
  await answers(page).last().getByRole('button', { name: 'Tokens' }).click();
  const tokens = page.getByRole('listbox');
  await tokens.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const last = await tokens.getByRole('option').count();
  await page.getByText(`Token ${last - 1}:`).waitFor();
  expect(await page.locator('.alternatives tbody tr').count()).toBe(3);
  expect(errors).toEqual([]);
});

test('a prompt is completed, its tokens shown, and the completion moved into the prompt', async () => {
  const { page, errors } = await openChat({ endless: await endlessModel() });
  await page.getByRole('link', { name: 'Completion' }).click();
  await page.getByLabel('Model', { exact: true }).selectOption('endless');
  await page.getByLabel('Prompt', { exact: true }).fill('One, two');
  await page.getByLabel('Tokens at most').fill('5');
  await page.getByLabel('Token probabilities').selectOption('2 alternatives');
  await button(page, 'Complete').click();
  await page.getByText(/credits$/).waitFor();
  const text = (await page.getByLabel('Text', { exact: true }).textContent()) ?? '';
  expect(text.length).toBeGreaterThan(0);
  await button(page, 'Tokens').click();
  expect(await page.getByRole('listbox').getByRole('option').count()).toBe(5);
  await button(page, 'Add to the prompt').click();
  expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe(`One, two${text}`);
  await page.getByLabel('Return the prompt before the completion').check();
  await button(page, 'Complete').click();
  // Probabilities of an echoed prompt are refused, and the reason is shown beside the setting.
  await page.getByLabel('Settings').getByText('Omit "logprobs" or "echo".').waitFor();
  expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
});

test.each([
  { width: 375, height: 720, colorScheme: 'light' as const },
  { width: 1920, height: 1080, colorScheme: 'dark' as const },
])('the chat keeps to WCAG AA at $width pixels, $colorScheme', async ({ colorScheme, ...size }) => {
  const { page, errors } = await openChat({ weather: await weatherModel() });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  for (const section of [
    'Structured output',
    'Tools',
    'Sampling and penalties',
    'Probabilities, several answers, template',
  ])
    await page.getByText(section, { exact: true }).click();
  await button(page, 'Weather').click();
  await button(page, 'Compare two models').click();
  await send(page, 'How is it in Zürich?');
  await page.getByLabel('Result of get_weather').first().waitFor();
  await answers(page).nth(1).waitFor();
  await page.getByText('This request as code').click();
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});

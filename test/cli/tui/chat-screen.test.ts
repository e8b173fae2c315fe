import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../../cli/client/client.ts';
import { beginComposer } from '../../../cli/prompt/editor/composer.ts';
import { CHAT_EVENTS, CONVERSATION } from '../../helpers/terminal/tui-chat-data.ts';
import { DATA } from '../../helpers/terminal/tui-data.ts';
import { live, showTui } from '../../helpers/terminal/tui.tsx';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 20_000 };

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

const ENTER = '\r';
const ESC = '\u001b';
const UP = '\u001b[A';
const CTRL_A = '\u0001';
const CTRL_K = '\u000b';
const CTRL_R = '\u0012';
const CTRL_UNDERSCORE = '\u001f';

async function show(options: Parameters<typeof showTui>[0] = {}) {
  const tui = showTui({ screen: 'chat', columns: 120, rows: 40, ...options });
  open.push(tui);
  await tui.dispatch(live(), { type: 'loaded', data: DATA }, ...CHAT_EVENTS.slice(0, 2));
  const shows = (text: string | RegExp) => vi.waitFor(() => expect(tui.frame()).toMatch(text), SOON);
  return { ...tui, shows };
}

test('pasted lines stay lines of one message, and what is typed stays while another screen is shown', async () => {
  const { press, shows, frame } = await show();
  press('i');
  await shows('> █');
  press('\u001b[200~one\rtwo\r\nthree\u001b[201~');
  await shows(/> one[^]*\n.* two[^]*\n.* three█/);
  press(ESC);
  await vi.waitFor(() => expect(frame()).not.toContain('█'), SOON);
  press('4');
  await shows('[4 Keys]');
  press('1');
  await shows(/> one[^]*\n.* two[^]*\n.* three/);
});

test('a message is edited where the cursor is, and edits are undone', async () => {
  const { press, shows } = await show();
  press('i');
  await shows('> █');
  press('two words');
  await shows('> two words█');
  press(CTRL_A);
  await shows('> █two words');
  press('not ');
  await shows('> not █two words');
  press(CTRL_K);
  await shows(/> not █ *$/m);
  press(CTRL_UNDERSCORE);
  await shows('> not █two words');
});

test.each([
  ['Alt-B', '\u001bb', '> one two █three'],
  ['Ctrl-Left', '\u001b[1;5D', '> one two █three'],
  ['Alt-Left', '\u001b[1;3D', '> one two █three'],
  ['Alt-Backspace', '\u001b\u007f', '> one two █'],
  ['Alt-D after Alt-B', '\u001bb\u001bd', '> one two █'],
  ['Alt-F after Ctrl-A', '\u0001\u001bf', '> one█ two three'],
  ['Ctrl-Home', '\u001b[1;5H', '> █one two three'],
  ['Alt-<', '\u001b<', '> █one two three'],
  ['Alt-> after Ctrl-A', '\u0001\u001b>', '> one two three█'],
  ['Ctrl-Delete after Ctrl-Home', '\u001b[1;5H\u001b[3;5~', '> █ two three'],
])('%s does what it does in askd chat', async (_name, keys, after) => {
  const { press, shows, store } = await show();
  press('i');
  await shows('> █');
  press('one two three');
  await shows('> one two three█');
  press(keys);
  await vi.waitFor(() => {
    const { text, cursor } = store.current().chat.composer.editor;
    expect(`> ${text.slice(0, cursor)}█${text.slice(cursor)}`).toBe(after);
  }, SOON);
});

test('what is pasted where nothing is typed presses no keys', async () => {
  const { press, shows, calls } = await show();
  press('\u001b[200~4q\u001b[201~');
  press('5');
  await shows('[5 Wallet]');
  expect(calls).toEqual([]);
});

test('letters typed fast are a key and then what it begins to write', async () => {
  const { press, shows } = await show();
  press('ihello');
  await shows('> hello█');
  press(ESC);
  press(':topup 10');
  await shows(':topup 10█');
});

test('keys that arrive together are drawn once', async () => {
  const { press, shows, drawn } = await show();
  const before = drawn();
  press('iab\u0001c');
  await shows('> c█ab');
  expect(drawn() - before).toBe(1);
});

test.each([
  ['as xterm sends it', '\u001bOP'],
  ['as rxvt sends it', '\u001b[11~'],
])('F1 %s shows the keys of the screen', async (_name, key) => {
  const { press, shows } = await show();
  press(key);
  await shows('Keys of Chat');
});

test('a key with Alt is not the key without it', async () => {
  const { press, shows, calls } = await show();
  press('\u001bq');
  press('4');
  await shows('[4 Keys]');
  expect(calls).not.toContain('quit');
});

test('earlier messages come back, and are found by what they say', async () => {
  const tui = await show();
  const { press, shows } = tui;
  const composer = beginComposer(['about bridges', 'about harbours']);
  await tui.dispatch({ type: 'chat', change: { kind: 'set', change: { composer } } });
  press('i');
  await shows('> █');
  press(UP);
  await shows('> about bridges█');
  press(UP);
  await shows('> about harbours█');
  press(CTRL_R);
  press('brid');
  await shows(/earlier message with: brid[^]*> about bridges█/);
});

test('a message that cannot be sent stays in its line, and says what to do', async () => {
  const { press, shows } = await show();
  press('i');
  await shows('> █');
  press(`Hello${ENTER}`);
  await shows('error: no daemon');
  await shows('> Hello█');
});

test('the code of the last answer is copied, and a chosen message is marked', async () => {
  const { press, shows, calls } = await show();
  press('y');
  await shows('Copied the code block.');
  expect(calls).toContain('copy const sorted = list.toSorted(); // a copy');
  press('K');
  await shows('▸ larger-model');
  press('K');
  await shows('▸ You');
  press('K');
  await shows('▸ svc-chat-v1');
  press('y');
  await shows('Copied the message.');
});

test('a conversation is written to a file as Markdown', async () => {
  const client = { chats: { get: async () => CONVERSATION } } as never;
  const { press, shows, calls, store } = await show({ client });
  press('x');
  await shows('Export ways-to-sort');
  press(ENTER);
  await shows('Saved the conversation in /tmp/ways-to-sort.md');
  expect(calls).toContain('save ways-to-sort');
  expect(store.current().done[0]).toContain('askd chats export ways-to-sort --format markdown');
});

test('the tool that waits for a decision is shown with its arguments', async () => {
  const tui = await show();
  await tui.dispatch(...CHAT_EVENTS.slice(2), {
    type: 'chat',
    change: { kind: 'asked', chat: 'chat_1', question: 'box: write {"text":"a note"}' },
  });
  expect(tui.frame()).toContain('waiting for you');
  expect(tui.frame()).toContain('box: write {"text":"a note"}');
  expect(tui.frame()).toContain('Run it? a yes, A always, d no');
});

test('a screen reader is given the conversation, and the answer when it is complete', async () => {
  const tui = await show({ isReader: true });
  await tui.dispatch(...CHAT_EVENTS.slice(2));
  expect(tui.frame()).toContain('Row 2 of 3: conversation Ways to sort');
  expect(tui.frame()).toContain('With nothing but sort');
  expect(tui.frame()).toContain('model svc-chat-v1, ways-to-sort');
  expect(tui.frame()).not.toContain('It compares each pair');
});

test('a chosen model that is not installed is offered with its size, and the conversation keeps its own', async () => {
  const model = { id: 'svc-code-v1', capabilities: {}, local: { state: 'not_installed', bytes: null } };
  const missing = {
    ...{ code: 'model_not_installed', message: 'The model `svc-code-v1` is not installed.' },
    fix: 'askd pull svc-code-v1',
  };
  const pulled: unknown[] = [];
  const client = {
    models: async () => ({ data: [model] }),
    model: async () => ({ ...model, local: { ...model.local, missing } }),
    catalog: async () => ({ catalog: [{ id: 'coder', chosen_for: ['svc-code-v1'], bytes: 2_100_000_000 }] }),
    startPull: async (request: unknown) => (pulled.push(request), {}),
  } as unknown as Partial<Client>;
  const { press, shows, store } = await show({ client });
  const before = store.current().chat.model;
  press('m');
  await shows('Choose a model');
  press(ENTER);
  await shows('svc-code-v1 is not installed. Pull it now? 2.1 GB');
  press('y');
  await shows('svc-code-v1 is downloading. Once it is ready, m chooses it.');
  expect(pulled).toEqual([{ model: 'svc-code-v1' }]);
  expect(store.current().done).toEqual(['askd pull svc-code-v1']);
  expect(store.current().chat.model).toBe(before);
});

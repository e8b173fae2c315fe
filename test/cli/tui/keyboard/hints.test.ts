import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CHAT_EVENTS } from '../../../helpers/terminal/tui-chat-data.ts';
import { DATA } from '../../../helpers/terminal/tui-data.ts';
import { live, showTui } from '../../../helpers/terminal/tui.tsx';
import type { ScreenId } from '../../../../cli/tui/state/state.ts';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 20_000 };

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

async function show(screen: ScreenId) {
  const tui = showTui({ screen });
  open.push(tui);
  await tui.dispatch(live(), { type: 'loaded', data: DATA }, ...CHAT_EVENTS.slice(0, 2));
  const footer = () => tui.frame().trimEnd().split('\n').at(-1)?.trim();
  const footerIs = (text: string) => vi.waitFor(() => expect(footer()).toBe(text), SOON);
  return { ...tui, footer, footerIs };
}

const TYPING = 'enter send  esc leave  alt+enter new line  up earlier  ctrl+c quit';

test('while a message is typed, the footer names the keys of the message, and afterwards those of the screen', async () => {
  const { press, footer, footerIs } = await show('chat');
  expect(footer()).toMatch(/^i type .* q quit$/);
  press('i');
  await footerIs(TYPING);
  press('q is a letter');
  await footerIs(TYPING);
  press('\u001b');
  await vi.waitFor(() => expect(footer()).toMatch(/^i type .* q quit$/), SOON);
});

test('while an answer arrives, Enter queues and Esc stops it', async () => {
  const { press, dispatch, footerIs } = await show('chat');
  await dispatch(...CHAT_EVENTS.slice(2));
  press('i');
  await footerIs('enter queue  esc stop  alt+enter new line  up earlier  ctrl+c quit');
});

test('the footer names the keys of a search in earlier messages', async () => {
  const { press, footerIs } = await show('chat');
  press('i');
  await footerIs(TYPING);
  press('\u0012');
  await footerIs('ctrl+r older  esc edit  ctrl+g cancel  ctrl+c quit');
});

test('the footer names the keys of a typed filter and of a typed command', async () => {
  const { press, footer, footerIs } = await show('keys');
  press('/');
  await footerIs('enter keep  esc clear  ctrl+c quit');
  press('\u001b');
  await vi.waitFor(() => expect(footer()).toMatch(/^n new .* q quit$/), SOON);
  press(':');
  await footerIs('enter run  esc cancel  ctrl+c quit');
});

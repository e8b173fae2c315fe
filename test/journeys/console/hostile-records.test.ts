import { test } from 'vitest';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';
import { expectHarmless, openWatched } from '../../helpers/watched-page.ts';

test("hostile webhook names, addresses and receivers' answers are shown as text", async () => {
  const { page, done } = await openWatched();
  const at = '2026-01-01T00:00:00.000Z';
  const webhooks = HOSTILE_TEXTS.map((text, index) => ({
    id: `wh_${index}`,
    name: text,
    url: text,
    events: [text],
    enabled: true,
    created_at: at,
    updated_at: at,
    disabled_reason: null,
    failures: 1,
    failing_since: at,
    last_success_at: null,
  }));
  const delivery = { event_id: 'evt_1', type: HOSTILE_TEXTS[0], timestamp: at, state: 'failed' };
  const times = { next_attempt_at: null, finished_at: at };
  const attempts = HOSTILE_TEXTS.map((text) => ({
    cause: 'schedule',
    started_at: at,
    duration_ms: 1,
    status: null,
    error: text,
    snippet: text,
  }));
  await page.route('**/api/webhooks', (route) => route.fulfill({ json: { webhooks } }));
  await page.route('**/api/webhooks/wh_0/deliveries?*', (route) =>
    route.fulfill({ json: { deliveries: [{ ...delivery, ...times, attempts: 1 }], has_more: false } }),
  );
  await page.route('**/api/webhooks/wh_0/deliveries/evt_1', (route) => {
    const body = JSON.stringify({
      type: 'x',
      data: Object.fromEntries(HOSTILE_TEXTS.map((text) => [text, text])),
    });
    return route.fulfill({ json: { delivery: { ...delivery, ...times, attempts, data: {}, body } } });
  });
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('row').nth(HOSTILE_TEXTS.length).waitFor();
  await expectHarmless(page, done);
  await page.getByRole('row').nth(1).getByRole('button').click();
  await page.getByRole('table').nth(1).getByRole('button').click();
  await page.getByText(`${HOSTILE_TEXTS.length} attempts`).waitFor();
  await expectHarmless(page, done);
});

test('hostile names in charts, transactions and settings are shown as text', async () => {
  const { page, done } = await openWatched();
  const sums = {
    ...{ requests: 1, failed_requests: 0, prompt_tokens: 1, cached_tokens: 0, completion_tokens: 1 },
    ...{ characters: 0, seconds: 0, images: 0, credits: 1 },
  };
  const start = '2026-01-01T00:00:00.000Z';
  const data = HOSTILE_TEXTS.map((text) => ({ start, model: text, ...sums }));
  await page.route('**/api/usage?*', (route) =>
    route.fulfill({
      json: {
        from: start,
        to: '2026-01-02T00:00:00.000Z',
        bucket: 'day',
        group_by: 'model',
        data,
        total: sums,
      },
    }),
  );
  const transactions = HOSTILE_TEXTS.map((text, index) => ({
    ...{ id: `txn_${index}`, type: text, amount: 1, balance_after: 1, created_at: start, description: text },
  }));
  await page.route('**/api/wallet/transactions?*', (route) =>
    route.fulfill({ json: { transactions, next: null } }),
  );
  await page.route('**/api/settings', (route) =>
    route.fulfill({
      json: {
        file: HOSTILE_TEXTS[0],
        restart: HOSTILE_TEXTS[1],
        settings: HOSTILE_TEXTS.map((text, index) => ({
          ...{ name: `setting_${index}`, topic: 'Server', summary: text, expects: text, value: text },
          ...{ default: [text], source: 'file', is_secret: false, is_set: true, is_list: false },
          ...{ needs_restart: true, guarded: text },
        })),
      },
    }),
  );
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.locator('.u-legend th').nth(7).waitFor();
  await expectHarmless(page, done);
  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.locator('.ledger .line').nth(5).waitFor();
  await expectHarmless(page, done);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('row').nth(HOSTILE_TEXTS.length).waitFor();
  await page.getByRole('button', { name: 'Change setting_3', exact: true }).click();
  await page.getByText('a browser may not change it').waitFor();
  await expectHarmless(page, done);
});

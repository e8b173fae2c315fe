import { describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { watchEvents, type Received } from '../../../helpers/daemon/watch-events.ts';

const createKey = (daemon: TestDaemon, name: string) => daemon.call('POST', '/api/keys', { body: { name } });

const keyNames = (all: Received[]) =>
  all.flatMap(({ event }) => (event.topic === 'key' ? [String(event.data['name'])] : []));

describe('GET /api/daemon/events', () => {
  test('streams events as they happen, and the status every second', async () => {
    const daemon = await startDaemon();
    const stream = await watchEvents(daemon);
    const first = await stream.until((all) => all.find(({ event }) => event.topic === 'status'));
    expect(first.event).toMatchObject({
      status: { requests_in_flight: 0, active_keys: 1 },
      pulls: [],
      agent: { running: [], latest: null },
    });
    await createKey(daemon, 'laptop');
    await stream.until((all) => (keyNames(all).includes('laptop') ? true : undefined));
    const again = await stream.until((all) =>
      all.find(({ event }) => event.topic === 'status' && event.status.active_keys === 2),
    );
    expect(again.event).toMatchObject({ status: { served: { requests: 0 } } });
    await stream.until((all) => all.find(({ event }) => event.topic === 'log'));
  });

  test('continues after the last id, without gaps or repetition', async () => {
    const daemon = await startDaemon();
    const first = await watchEvents(daemon, '?topics=key');
    await createKey(daemon, 'one');
    const { id } = await first.until((all) => all.find(({ event }) => event.topic === 'key'));
    first.leave();
    await createKey(daemon, 'two');
    await createKey(daemon, 'three');
    const second = await watchEvents(daemon, '?topics=key', { 'last-event-id': id });
    await second.until((all) => (keyNames(all).length === 2 ? true : undefined));
    expect(keyNames(second.received)).toEqual(['two', 'three']);
  });

  test('replays at most 500 events, and says how many it left out', async () => {
    const daemon = await startDaemon();
    const { store, events, boot } = daemon.services;
    const before = events.latest();
    store.transaction(() => {
      for (let count = 0; count < 620; count++)
        events.record('usage.limit_reached', { kind: 'rpm', period: String(count) });
    });
    const stream = await watchEvents(daemon, '?topics=account', {
      'last-event-id': `${before}.0.${boot.id}`,
    });
    const all = await stream.until((received) => (received.length === 501 ? received : undefined));
    expect(all[0]?.event).toEqual({ topic: 'gap', missed: 120 });
    expect(all.at(-1)?.event).toMatchObject({ topic: 'account', data: { period: '619' } });
  });

  test('with an id of an earlier run continues the events, and starts the log over', async () => {
    const daemon = await startDaemon();
    daemon.services.log.info('a line of this run');
    const latest = daemon.services.events.latest();
    await createKey(daemon, 'missed');
    const stream = await watchEvents(daemon, '?topics=key&topics=log', {
      'last-event-id': `${latest}.9999.other`,
    });
    await stream.until((all) => (keyNames(all).includes('missed') ? true : undefined));
    await stream.until((all) =>
      all.find(({ event }) => event.topic === 'log' && event.line.includes('a line of this run')),
    );
  });

  test('begins with as many past events as requested', async () => {
    const daemon = await startDaemon();
    for (const name of ['a', 'b', 'c']) await createKey(daemon, name);
    const stream = await watchEvents(daemon, '?topics=key&replay=2');
    await stream.until((all) => (keyNames(all).length === 2 ? true : undefined));
    expect(keyNames(stream.received)).toEqual(['b', 'c']);
  });

  test('never shows a secret of the log', async () => {
    const daemon = await startDaemon();
    const stream = await watchEvents(daemon, '?topics=log');
    daemon.services.log.info({ note: `the key ${daemon.key}` }, 'with a secret');
    const { event } = await stream.until((all) =>
      all.find((each) => each.event.topic === 'log' && each.event.line.includes('with a secret')),
    );
    expect(JSON.stringify(event)).toContain('ask_[redacted]');
    expect(JSON.stringify(event)).not.toContain(daemon.key);
  });

  test.each([
    ['?topics=gossip', {}],
    ['?replay=501', {}],
    ['?nonsense=1', {}],
    ['', { 'last-event-id': 'yesterday' }],
  ])('refuses %s %o', async (query, headers) => {
    const daemon = await startDaemon();
    expect((await daemon.call('GET', `/api/daemon/events${query}`, { headers })).status).toBe(400);
  });

  test('is for the owner, not for an API key', async () => {
    const daemon = await startDaemon();
    const { status } = await daemon.call('GET', '/api/daemon/events', { token: daemon.key });
    expect(status).toBe(403);
  });

  test('ends when the daemon is asked to stop', async () => {
    const daemon = await startDaemon();
    const stream = await watchEvents(daemon);
    await stream.until((all) => all[0]);
    const ended = new Promise((resolve) => stream.response.once('end', resolve));
    daemon.services.boot.requestStop();
    await ended;
  });
});

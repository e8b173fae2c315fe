import { parseArgs } from 'node:util';
import { measureBacklog } from './webhooks/backlog.ts';
import { measureDeliveries } from './webhooks/deliveries.ts';
import { measureRecording } from './webhooks/recording.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const scale = values.quick
  ? { chats: 400, deliveries: 1_000, backlog: 10_000 }
  : { chats: 2_000, deliveries: 5_000, backlog: 100_000 };

console.log('Events recorded inside a chat request');
const { without, withWebhook, addedMs, eventsPerSecond } = await measureRecording(scale.chats);
console.log(`  two events, nobody subscribed      ${without.toFixed(3)} ms (median)`);
console.log(`  two events, a webhook subscribed   ${withWebhook.toFixed(3)} ms (median)`);
console.log(`  added                              ${addedMs.toFixed(3)} ms, limit 0.5`);
console.log(`  recorded one after the other       ${eventsPerSecond.toFixed(0)} events/s`);

for (const fanOut of [1, 100]) {
  const { perSecond, barePerSecond, processorMs } = await measureDeliveries(fanOut, scale.deliveries);
  console.log(`Deliveries to a TLS receiver on this machine, fan-out ${fanOut}`);
  console.log(`  queue and worker                   ${perSecond.toFixed(0)} deliveries/s, limit 500`);
  console.log(`  the same requests without a queue  ${barePerSecond.toFixed(0)} requests/s`);
  console.log(`  processor time of the sender          ${processorMs.toFixed(2)} ms a delivery`);
  console.log(`  ratio                              ${(perSecond / barePerSecond).toFixed(2)}`);
}

console.log(`A backlog of ${scale.backlog} due deliveries in the daemon`);
const { seconds, perSecond, p50Ms, p99Ms, startMegabytes, peakMegabytes, endMegabytes } =
  await measureBacklog(scale.backlog);
console.log(
  `  drained                            ${seconds.toFixed(0)} s, ${perSecond.toFixed(0)} deliveries/s`,
);
console.log(
  `  /healthz meanwhile                 p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, limit 50`,
);
console.log(
  `  memory                             ${startMegabytes.toFixed(0)} MB at first, at most ${peakMegabytes.toFixed(0)}, ${endMegabytes.toFixed(0)} at last`,
);

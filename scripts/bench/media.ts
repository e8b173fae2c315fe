import { parseArgs } from 'node:util';
import { measureImages } from './media/images.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

console.log('A picture of 1024x1024 by a tiny model, 20 steps on one thread');
const { engineMs, httpMs, finishMs } = await measureImages(values.quick ? 3 : 9);
console.log(`  the engine alone              ${engineMs.toFixed(0)} ms (median)`);
console.log(`  through the API               ${httpMs.toFixed(0)} ms (median)`);
console.log(`  added                         ${(httpMs - engineMs).toFixed(0)} ms`);
for (const [format, ms] of Object.entries(finishMs)) {
  console.log(`  scaling, and into ${format.padEnd(5)}       ${ms.toFixed(0)} ms`);
}

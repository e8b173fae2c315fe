import { randomFillSync } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openHub } from '../../hub/hub.ts';
import { writeScriptedModel } from '../../fixtures/scripted-model.ts';
import { FILE, REPO } from './names.ts';

/** A hub in a separate process, so that serving does not affect the event loops that are measured. */
const bytes = Number(process.argv[2]);
const content = Buffer.alloc(bytes);
for (let at = 0; at < bytes; at += 2 ** 30) randomFillSync(content, at, Math.min(2 ** 30, bytes - at));

// A real header, so that the daemon accepts the download as a model.
const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-model-'));
const model = path.join(folder, 'tiny.gguf');
await writeScriptedModel(model, { text: 'and so on, ', endless: true });
(await readFile(model)).copy(content);
await rm(folder, { recursive: true });

const hub = await openHub();
hub.add(REPO, { [FILE]: content });
process.send?.({ url: hub.url });
process.on('disconnect', () => void hub.close());

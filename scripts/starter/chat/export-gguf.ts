import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Merge } from './bpe.ts';
import { exportModel } from './export.ts';

const [weights, merges, file] = process.argv.slice(2);
if (weights === undefined || merges === undefined || file === undefined)
  throw new Error('Usage: node export-gguf.js WEIGHTS.safetensors MERGES.json FILE.gguf');
await mkdir(path.dirname(path.resolve(file)), { recursive: true });
const learned = JSON.parse(await readFile(merges, 'utf8')) as Merge[];
await exportModel({ weights, merges: learned, file, name: 'askd starter' });
console.log(`${file}: ${(await stat(file)).size} bytes`);

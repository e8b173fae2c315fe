import { makeStarter } from './starter.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node make-starter.js FOLDER');
console.log(await makeStarter(folder));

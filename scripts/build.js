import { runScript } from './setup/processes.js';
import { ensureBuilt, ensureInstalled } from './setup/setup.js';

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  console.log('askd is built: node bin/askd.js --help');
  return 0;
});

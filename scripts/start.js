import { join } from 'node:path';
import { ROOT, runQuietly, runScript, timed } from './setup/processes.js';
import { ensureBuilt, ensureInstalled } from './setup/setup.js';
import { readModel, streamChat, workingKey } from './start-client.js';

const MODEL = 'svc-chat-v1';
const QUESTION = 'How do I create an API key?';

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();

  const daemon = await timed('Starting askd', () => askd('up', '--json'));
  const { home } = await askd('status', '--json');
  const key = await workingKey({
    file: join(home, 'npm-start-key'),
    works: (candidate) => readModel(daemon.base_url, candidate, MODEL),
    create: async () => (await askd('keys', 'create', '--name', 'npm-start', '--json')).key,
  });
  const model = await readModel(daemon.base_url, key, MODEL);

  console.log(`\nYou to ${MODEL}: ${QUESTION}\n`);
  for await (const text of streamChat(daemon.base_url, key, { model: MODEL, question: QUESTION })) {
    process.stdout.write(text);
  }
  console.log('\n');
  if (model?.local?.notice) console.log(`Note: ${model.local.notice}\n`);
  console.log(summary(daemon, key));
  return 0;
});

/** The command line is the only way into the daemon that needs no key. */
async function askd(...args) {
  const { code, stdout, stderr } = await runQuietly(process.execPath, [
    join(ROOT, 'bin', 'askd.js'),
    ...args,
  ]);
  if (code === 0) return JSON.parse(stdout);
  throw new Error(`${stderr.trim() || stdout.trim()}\nTo see it by hand: npx askd ${args.join(' ')}`);
}

function summary({ base_url: baseUrl, version, pid, already_running: wasRunning }, key) {
  return `askd ${version} ${wasRunning ? 'was running already' : 'now runs in the background'} (process ${pid}).

  Base URL  ${baseUrl}
  API key   ${key}

Ask it yourself:

  curl ${baseUrl}/chat/completions \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"model":"${MODEL}","messages":[{"role":"user","content":"Hello"}]}'

Next:

  npx askd status   what it is doing
  npx askd --help   everything it can do
  npx askd down     stop it`;
}

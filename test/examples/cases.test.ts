import { expect, test } from 'vitest';
import { commandsOf, openExamples } from '../helpers/examples.ts';

test('the cases of the example are asked and judged', async () => {
  const { run } = await openExamples();
  const [command = ''] = commandsOf('cases.yaml');
  const { stdout, stderr } = await run(command);
  expect(stdout).toMatch(/^12 \+ 31 +pass$/m);
  expect(stdout).toMatch(/^svc-chat-v1 +\d\/4 .* 0 +\d+ ms/m);
  expect(stderr).toBe('');
});

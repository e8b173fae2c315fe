import { expect, test } from 'vitest';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { otherPrograms } from '../../helpers/models/other-programs.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';

test('askd adopt lists models, shows one, adopts one, and names parameters that have no effect', async () => {
  const programs = otherPrograms(temporaryFolder());
  const daemon = await startDaemon(programs.env);
  announce(daemon);
  const askd = async (line: string) => {
    const { code, stdout, stderr } = await runCli(line.split(' '), { home: daemon.home });
    return { code, text: stdout + stderr };
  };
  expect((await askd('adopt')).text).toContain('No models of other programs were found.');
  const { path } = await scriptedModel('adopted');
  programs.ollama('tiny:1b', {
    model: path,
    template: '{{ .Prompt }}',
    params: { temperature: 0, num_gpu: 1 },
  });
  programs.ollama('cloudy', { config: { remote_host: 'https://ollama.com' } });
  const listed = (await askd('adopt')).text;
  expect(listed).toMatch(/tiny:1b +ollama +llama .* new /);
  expect(listed).toMatch(/cloudy:.*servers/);
  expect(listed).toContain('Next: askd adopt tiny:1b');
  expect((await askd('init --yes')).text).toContain('found 1 model of Ollama: askd adopt');
  const planned = (await askd('adopt tiny:1b --dry-run')).text;
  expect(planned).toMatch(/not honoured +PARAMETER num_gpu/);
  expect((await askd('list')).text).not.toContain('tiny:1b');
  const taken = (await askd('adopt tiny:1b')).text;
  expect(taken).toContain('Adopted tiny:1b of Ollama');
  expect(taken).toContain('default: temperature 0');
  expect(taken).toContain('not honoured: PARAMETER num_gpu');
  const shown = (await askd('show tiny:1b')).text;
  expect(shown).toMatch(/from +Ollama, tiny:1b/);
  expect(shown).toMatch(/not honoured +TEMPLATE/);
  expect((await askd('adopt --all')).text).toContain('Left cloudy');
  expect(await askd('adopt a --all')).toMatchObject({ code: 2 });
  expect(await askd('adopt --id a')).toMatchObject({ code: 2 });
});
